// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// A library to preload (LD_PRELOAD) into a program whose file operations shall fail. One call on a
// file below a folder fails, or one large allocation. sweep.py selects it by environment variables:
//
//   STRUT_FAULT_FOLDER  absolute path; calls on files below it count
//   STRUT_FAULT_REPORT  file for a line "call name" of each of these calls; allocations are
//                       "allocate main|other"
//   STRUT_FAULT_BEGIN   name of a file: allocations count from its first open() on, until the
//                       folder's lock is removed
//   STRUT_FAULT_LEAST   bytes of a large allocation; of each call stack the first one counts
//   STRUT_FAULT_CALL    the call that fails: write, open, rename, link, mkdir, fsync,
//                       ftruncate, close, allocate
//   STRUT_FAULT_NAME    name of the file, without folders; for allocations the thread, main
//                       or other
//   STRUT_FAULT_AT      which of these calls fails, from 1
//   STRUT_FAULT_ERROR   errno that it fails with; 0: a write writes one half, and the next one
//                       fails for lack of space
//   STRUT_FAULT_LASTS   1: all later calls of the kind, on any file, fail too
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The allocations of glibc under the names that no preloaded library takes.
extern "C"
{
  void *__libc_malloc(std::size_t n);
  void *__libc_calloc(std::size_t n, std::size_t size);
  void *__libc_realloc(void *place, std::size_t n);
  void *__libc_memalign(std::size_t alignment, std::size_t n);
}

namespace
{
const char *variable(const char *const name)
{
  const char *const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Settings from the environment. They allocate nothing, as malloc() reads them.
struct Plan
{
  const char *folder = variable("STRUT_FAULT_FOLDER"), *report = variable("STRUT_FAULT_REPORT"),
             *begin = variable("STRUT_FAULT_BEGIN"), *call = variable("STRUT_FAULT_CALL"),
             *name        = variable("STRUT_FAULT_NAME");
  std::size_t least       = std::strtoul(variable("STRUT_FAULT_LEAST"), nullptr, 10);
  long at                 = std::atol(variable("STRUT_FAULT_AT"));
  int error               = std::atoi(variable("STRUT_FAULT_ERROR"));
  bool lasts              = std::atoi(variable("STRUT_FAULT_LASTS")) != 0;
  int report_descriptor   = -1;
  std::atomic<long> count = 0;
};

Plan *plan = nullptr; ///< null before the program begins
std::atomic<bool> counts_allocations{false};
/// Set for a file after the first half of a write was done.
std::atomic<bool> fails_next_write{false};

template <typename Function>
Function *next(const char *const name)
{
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void begin()
{
  static Plan the_plan;
  if (*the_plan.report != '\0')
    the_plan.report_descriptor = static_cast<int>(
      ::syscall(SYS_open, the_plan.report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  plan = &the_plan;
}

/// @return the file's name without folders if it is below the folder, or the folder itself; else
/// nullptr
const char *name_below(const char *const path)
{
  if (plan == nullptr || path == nullptr || *plan->folder == '\0')
    return nullptr;
  thread_local char whole[2 * PATH_MAX];
  if (path[0] == '/')
    std::snprintf(whole, sizeof(whole), "%s", path);
  else if (::getcwd(whole, PATH_MAX) != nullptr)
    std::snprintf(whole + std::strlen(whole), PATH_MAX, "/%s", path);
  const std::size_t n = std::strlen(plan->folder);
  if (std::strncmp(whole, plan->folder, n) != 0 || (whole[n] != '/' && whole[n] != '\0'))
    return nullptr;
  const char *const slash = std::strrchr(whole, '/');
  return slash == nullptr ? whole : slash + 1;
}

const char *name_of(const int descriptor)
{
  thread_local char path[PATH_MAX];
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const auto n = ::readlink(link, path, sizeof(path) - 1);
  if (n <= 0)
    return nullptr;
  path[n] = '\0';
  if (char *const deleted = std::strstr(path, " (deleted)"); deleted != nullptr)
    *deleted = '\0';
  return name_below(path);
}

/// Counts a call. @return whether it fails
bool fails(const char *const call, const char *const name)
{
  if (plan == nullptr || name == nullptr)
    return false;
  if (plan->report_descriptor >= 0)
    {
      char line[PATH_MAX + 32];
      const int n = std::snprintf(line, sizeof(line), "%s %s\n", call, name);
      ::syscall(SYS_write, plan->report_descriptor, line, n);
    }
  if (plan->at == 0 || std::strcmp(call, plan->call) != 0)
    return false;
  const long before = plan->count;
  if (plan->lasts && before >= plan->at)
    return true;
  return std::strcmp(name, plan->name) == 0 && ++plan->count == plan->at;
}

/// Whether the call fails; then sets errno.
bool fails_with_error(const char *const call, const char *const name)
{
  if (!fails(call, name))
    return false;
  errno = plan->error;
  return true;
}

void look_for_begin(const char *const path)
{
  if (plan != nullptr && *plan->begin != '\0' && !counts_allocations &&
      std::strstr(path, plan->begin) != nullptr)
    {
      void *frames[2];
      ::backtrace(frames, 2); // loads a library the first time
      counts_allocations = true;
    }
}

/// Whether one of the callers is MPI's library, which does not handle failures.
bool is_of_mpi(void *const *const frames, const int depth)
{
  Dl_info info;
  for (int i = 0; i < depth; ++i)
    if (::dladdr(frames[i], &info) != 0 && info.dli_fname != nullptr &&
        (std::strstr(info.dli_fname, "libmpi") != nullptr ||
         std::strstr(info.dli_fname, "libopen-") != nullptr))
      return true;
  return false;
}

/// Whether an allocation fails: of each call stack the first one counts.
bool allocation_fails(const std::size_t n)
{
  if (plan == nullptr || !counts_allocations || n < plan->least)
    return false;
  static thread_local bool is_inside = false;
  if (is_inside)
    return false;
  is_inside             = true;
  constexpr int n_known = 1 << 14, n_frames = 14;
  static std::atomic<std::uint64_t> known[n_known];
  void *frames[n_frames];
  const int depth    = ::backtrace(frames, n_frames);
  std::uint64_t hash = 1469598103934665603u;
  for (int i = 1; i < depth; ++i)
    hash = (hash ^ reinterpret_cast<std::uint64_t>(frames[i])) * 1099511628211u;
  bool is_new = false;
  for (std::size_t i = hash % n_known;; i = (i + 1) % n_known)
    {
      std::uint64_t empty = 0;
      if (known[i].compare_exchange_strong(empty, hash))
        is_new = true;
      if (known[i] == hash)
        break;
    }
  const bool is_main = ::syscall(SYS_gettid) == ::getpid();
  const bool result =
    is_new && !is_of_mpi(frames, depth) && fails_with_error("allocate", is_main ? "main" : "other");
  is_inside = false;
  return result;
}

template <typename Write>
ssize_t write_or_fail(const int descriptor, const std::size_t n, const Write &write)
{
  if (plan == nullptr)
    return write(n);
  const char *const name = name_of(descriptor);
  if (name != nullptr && std::strcmp(name, plan->name) == 0 && fails_next_write.exchange(false))
    {
      errno = ENOSPC;
      return -1;
    }
  if (!fails("write", name))
    return write(n);
  errno = plan->error == 0 ? ENOSPC : plan->error;
  if (plan->error != 0 || n < 2)
    return -1;
  fails_next_write = true;
  return write(n / 2);
}

template <typename Open>
auto open_or_fail(const char *const path, const Open &open, const decltype(open()) failure)
{
  look_for_begin(path);
  return fails_with_error("open", name_below(path)) ? failure : open();
}

mode_t mode_of(const int flags, va_list arguments)
{
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}
} // namespace

#define STRUT_OPEN(name)                                                \
  int name(const char *const path, const int flags, ...)                \
  {                                                                     \
    va_list arguments;                                                  \
    va_start(arguments, flags);                                         \
    const mode_t mode = mode_of(flags, arguments);                      \
    va_end(arguments);                                                  \
    static auto *const real = next<int(const char *, int, ...)>(#name); \
    return open_or_fail(                                                \
      path, [&] { return real(path, flags, mode); }, -1);               \
  }

#define STRUT_FOPEN(name)                                                           \
  std::FILE *name(const char *const path, const char *const mode)                   \
  {                                                                                 \
    static auto *const real = next<std::FILE *(const char *, const char *)>(#name); \
    return open_or_fail(                                                            \
      path, [&] { return real(path, mode); }, static_cast<std::FILE *>(nullptr));   \
  }

#define STRUT_PWRITE(name)                                                                 \
  ssize_t name(const int descriptor,                                                       \
               const void *const bytes,                                                    \
               const std::size_t n,                                                        \
               const off_t place)                                                          \
  {                                                                                        \
    static auto *const real = next<ssize_t(int, const void *, std::size_t, off_t)>(#name); \
    return write_or_fail(descriptor, n, [&](const std::size_t m) {                         \
      return real(descriptor, bytes, m, place);                                            \
    });                                                                                    \
  }

#define STRUT_ON_DESCRIPTOR(name, call)                                         \
  int name(const int descriptor)                                                \
  {                                                                             \
    static auto *const real = next<int(int)>(#name);                            \
    return fails_with_error(call, name_of(descriptor)) ? -1 : real(descriptor); \
  }

#define STRUT_FTRUNCATE(name)                                                             \
  int name(const int descriptor, const off_t n)                                           \
  {                                                                                       \
    static auto *const real = next<int(int, off_t)>(#name);                               \
    return fails_with_error("ftruncate", name_of(descriptor)) ? -1 : real(descriptor, n); \
  }

extern "C"
{
  STRUT_OPEN(open)
  STRUT_OPEN(open64)
  STRUT_FOPEN(fopen)
  STRUT_FOPEN(fopen64)
  STRUT_PWRITE(pwrite)
  STRUT_PWRITE(pwrite64)
  STRUT_ON_DESCRIPTOR(fsync, "fsync")
  STRUT_ON_DESCRIPTOR(fdatasync, "fsync")
  STRUT_FTRUNCATE(ftruncate)
  STRUT_FTRUNCATE(ftruncate64)

  ssize_t write(const int descriptor, const void *const bytes, const std::size_t n)
  {
    static auto *const real = next<ssize_t(int, const void *, std::size_t)>("write");
    return write_or_fail(descriptor, n, [&](const std::size_t m) {
      return real(descriptor, bytes, m);
    });
  }

  ssize_t writev(const int descriptor, const iovec *const pieces, const int n)
  {
    static auto *const real = next<ssize_t(int, const iovec *, int)>("writev");
    return write_or_fail(descriptor, 1, [&](std::size_t) { return real(descriptor, pieces, n); });
  }

  /// Closes the descriptor even if the call fails, as the kernel does.
  int close(const int descriptor)
  {
    static auto *const real = next<int(int)>("close");
    const bool failed       = plan != nullptr && fails("close", name_of(descriptor));
    const int result        = real(descriptor);
    if (!failed)
      return result;
    errno = plan->error;
    return -1;
  }

  int rename(const char *const from, const char *const to)
  {
    static auto *const real = next<int(const char *, const char *)>("rename");
    return fails_with_error("rename", name_below(from)) ? -1 : real(from, to);
  }

  int link(const char *const from, const char *const to)
  {
    static auto *const real = next<int(const char *, const char *)>("link");
    return fails_with_error("link", name_below(from)) ? -1 : real(from, to);
  }

  int mkdir(const char *const path, const mode_t mode)
  {
    static auto *const real = next<int(const char *, mode_t)>("mkdir");
    return fails_with_error("mkdir", name_below(path)) ? -1 : real(path, mode);
  }

  int unlink(const char *const path)
  {
    static auto *const real = next<int(const char *)>("unlink");
    if (std::strstr(path, "strut.lock") != nullptr)
      counts_allocations = false;
    return real(path);
  }

  void *malloc(const std::size_t n)
  {
    return allocation_fails(n) ? nullptr : __libc_malloc(n);
  }
  void *calloc(const std::size_t n, const std::size_t size)
  {
    return allocation_fails(n * size) ? nullptr : __libc_calloc(n, size);
  }
  void *realloc(void *const place, const std::size_t n)
  {
    return allocation_fails(n) ? nullptr : __libc_realloc(place, n);
  }
  void *aligned_alloc(const std::size_t alignment, const std::size_t n)
  {
    return allocation_fails(n) ? nullptr : __libc_memalign(alignment, n);
  }
  int posix_memalign(void **const place, const std::size_t alignment, const std::size_t n)
  {
    *place = allocation_fails(n) ? nullptr : __libc_memalign(alignment, n);
    return *place == nullptr ? ENOMEM : 0;
  }
  void *mmap(void *const place,
             const std::size_t n,
             const int protection,
             const int flags,
             const int descriptor,
             const off_t offset)
  {
    static auto *const real = next<void *(void *, std::size_t, int, int, int, off_t)>("mmap");
    const bool is_memory    = (flags & MAP_ANONYMOUS) != 0;
    return is_memory && allocation_fails(n) ? MAP_FAILED
                                            : real(place, n, protection, flags, descriptor, offset);
  }
}
