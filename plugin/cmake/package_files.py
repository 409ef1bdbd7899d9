#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""Files of an installed strut that are made from what its programs say, and from the version.

  package_files.py program NAME FILE --version V --man FOLDER --completions FOLDER
      the manual page NAME.1.gz and the completion of bash, from `FILE --help`
  package_files.py changelog --version V --contact WHO --epoch SECONDS -o FILE
      Debian's changelog, compressed
The same input gives the same bits.
"""
import argparse
import email.utils
import gzip
import pathlib
import re
import subprocess
import sys

# The column in which CLI11 begins descriptions.
COLUMN = 30

# What strut's programs take without an option, by its name in the help: what bash offers.
ENDINGS = {"deck": "prm"}


class Entry:
    """An option, or an argument without one, with its description."""

    def __init__(self, signature, description):
        self.relations = re.findall(r"(Needs|Excludes): ((?:--?[\w-]+ ?)+)", signature)
        signature = re.split(r" (?:Needs|Excludes): ", signature)[0]
        self.required = " REQUIRED" in signature
        self.repeated = signature.endswith(" ...")
        signature = signature.replace(" REQUIRED", "").removesuffix(" ...").strip()
        self.names, _, self.value = signature.partition(" ")
        self.description = description.strip()
        match = re.search(r"\{([^}]*)\}", self.value)
        self.choices = match[1].split(",") if match else []
        self.value = re.sub(r"^(\w+):\{\1\}$", r"\1", self.value)
        # A flag that may have a value: its help has no type before the colon.
        self.is_flag = not self.value or self.value.startswith(":")

    def options(self):
        return [name for name in self.names.split(",") if name.startswith("-")]

    def completion(self):
        """The command of bash that offers values."""
        if self.choices:
            return f"COMPREPLY=($(compgen -W '{' '.join(self.choices)}' -- \"$cur\"))"
        kind = re.split(r"[=:]", self.value)[0]
        if self.names in ENDINGS:
            return f"_filedir {ENDINGS[self.names]}"
        if kind in ("DIR", "FOLDER"):
            return "_filedir -d"
        if kind == "FILE":
            return "_filedir"
        if kind.startswith("FILE."):
            return f"_filedir {kind.removeprefix('FILE.')}"
        return ":"


class Help:
    """The parts of a text of --help as CLI11 writes it."""

    def __init__(self, text):
        lines = text.rstrip().split("\n")
        usage = next((n for n, line in enumerate(lines) if line.startswith("Usage: ")), None)
        if usage is None:
            raise SystemExit("package_files.py: the text of --help has no line 'Usage: ': " + repr(text[:200]))
        self.introduction = "\n".join(lines[:usage]).strip()
        self.arguments = lines[usage].split("[OPTIONS]")[1].strip()
        self.positionals, self.options = [], []
        n = usage + 1
        while n < len(lines):
            if lines[n] == "Positionals:" or lines[n] == "Options:":
                entries = self.positionals if lines[n] == "Positionals:" else self.options
                n += 1
                while n < len(lines) and lines[n].startswith("  "):
                    line = lines[n]
                    if n + 1 < len(lines) and lines[n + 1].startswith(" " * COLUMN):
                        entries.append(Entry(line, lines[n + 1]))
                        n += 1
                    else:
                        entries.append(Entry(line[:COLUMN], line[COLUMN:]))
                    n += 1
            elif lines[n]:
                break
            else:
                n += 1
        self.footer = "\n".join(lines[n:]).strip("\n")


def roff(text):
    """A text whose characters mean themselves."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti").replace("^", "\\(ha")
    return re.sub(r"^\.", "\\&.", text, flags=re.MULTILINE)


def paragraphs(text):
    """Paragraphs of roff. A line that begins with a capital or a blank stays a line of its own."""
    parts = []
    for paragraph in re.split(r"\n{2,}", text):
        lines = []
        for line in paragraph.split("\n"):
            if lines and re.match(r"[A-Z ]", line):
                lines.append(".br")
            lines.append(roff(line.strip()))
        parts.append("\n".join(lines))
    return "\n.PP\n".join(parts)


def described(entry):
    lines = [".TP", "\\fB" + "\\fR, \\fB".join(roff(name) for name in entry.names.split(",")) + "\\fR"]
    if entry.is_flag and entry.value:
        lines[-1] += "[=\\fI" + roff("|".join(entry.choices)) + "\\fR]"
    elif entry.value:
        lines[-1] += " \\fI" + roff(entry.value) + "\\fR"
    lines.append(roff(entry.description) + ".")
    if entry.repeated and "any number" not in entry.description:
        lines.append("May be given several times.")
    for relation, names in entry.relations:
        word = "Needs" if relation == "Needs" else "Not with"
        lines.append(f"{word} " + roff(", ".join(names.split())) + ".")
    return "\n".join(lines)


def manual_page(name, version, text, others):
    page = Help(text)
    first = re.split(r"\n\n|(?<=\w)\. |[:,;] | \(", page.introduction.replace("\n", " ", 1))[0].rstrip(".")
    sections = [
        ('NAME', f"{roff(name)} \\- {roff(first[0].lower() + first[1:])}"),
        ('SYNOPSIS', f".B {roff(name)}\n[\\fIOPTION\\fR]... {roff(page.arguments)}"),
        ('DESCRIPTION', paragraphs(page.introduction)),
    ]
    if page.positionals:
        sections.append(('ARGUMENTS', "\n".join(described(entry) for entry in page.positionals)))
    sections.append(('OPTIONS', "\n".join(described(entry) for entry in page.options)))
    sections.append(('NOTES', paragraphs(page.footer)))
    sections.append(('FILES', ".TP\n\\fIshare/strut/prm/\\fR\nDecks that come along, below the folder of the installation "
                     "(/usr for Debian's package).\n.TP\n\\fIshare/doc/strut/\\fR\nThe pages of the documentation."))
    sections.append(('SEE ALSO', ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others if other != name)))
    body = "\n".join(f".SH {title}\n{content}" for title, content in sections)
    return f'.\\" Made from the text of {name} --help.\n.TH {roff(name.upper())} 1 "" "strut {version}" "User commands"\n{body}\n'


def completion(name, text):
    page = Help(text)
    function = "_" + name.replace("-", "_")
    all_options = [option for entry in page.options for option in entry.options()]
    cases = []
    for entry in page.options:
        if entry.is_flag and not entry.choices:
            continue
        command = entry.completion()
        if entry.is_flag:
            # Only behind "=": what follows a blank is another argument.
            cases.append(f"    {'|'.join(entry.options())})\n      if $split; then\n        {command}\n        return\n      fi\n      ;;")
        else:
            cases.append(f"    {'|'.join(entry.options())})\n      {command}\n      return\n      ;;")
    argument = page.positionals[0].completion() if page.positionals else ":"
    return f"""# bash completion for {name}, made from {name} --help
{function}() {{
  local cur prev words cword split
  _init_completion -s || return
  case $prev in
{chr(10).join(cases)}
  esac
  $split && return
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W '{' '.join(all_options)}' -- "$cur"))
  else
    {argument}
  fi
}} &&
  complete -F {function} {name}
"""


def write_compressed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
        compressed.write(text.encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    program = commands.add_parser("program")
    program.add_argument("name")
    program.add_argument("file")
    program.add_argument("--version", required=True)
    program.add_argument("--man", type=pathlib.Path, required=True)
    program.add_argument("--completions", type=pathlib.Path, required=True)
    program.add_argument("--others", default="", help="names of all programs, separated by commas")
    changelog = commands.add_parser("changelog")
    changelog.add_argument("--version", required=True)
    changelog.add_argument("--contact", required=True)
    changelog.add_argument("--epoch", type=int, required=True)
    changelog.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()

    if options.command == "changelog":
        date = email.utils.formatdate(options.epoch)
        write_compressed(options.output, f"strut ({options.version}) bookworm; urgency=medium\n\n"
                         "  * CHANGELOG.md in this folder has the changes.\n\n"
                         f" -- {options.contact}  {date}\n")
        return
    result = subprocess.run([options.file, "--help"], stdout=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"package_files.py: {options.file} --help ended with exit code {result.returncode}; its manual page is made from "
                 "that text.\n  Install on a machine that can run the program.")
    write_compressed(options.man / f"{options.name}.1.gz",
                     manual_page(options.name, options.version, result.stdout, options.others.split(",")))
    options.completions.mkdir(parents=True, exist_ok=True)
    (options.completions / options.name).write_text(completion(options.name, result.stdout))


if __name__ == "__main__":
    main()
