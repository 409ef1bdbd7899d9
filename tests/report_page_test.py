#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The strut authors
"""A page of a run, opened in Chromium: no error in the console, the part can be turned, the curves are there.

  report_page_test.py REPORT.html [--pictures FOLDER] [--no-part] [--part-alone]

Opens the page at widths of 500 and 1400 pixels. With --pictures, screenshots of the whole page stay in the folder. With
--no-part the design has no material. With --part-alone the page is that of a problem or of a fault. Prints what is wrong;
exit code 0 if nothing is, 77 where there is no Chromium or no chromedriver (Debian: chromium chromium-driver).
"""
import argparse
import base64
import json
import pathlib
import shutil
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zlib

WIDTHS = (500, 1400)


class Browser:
    """WebDriver (W3C) by chromedriver, in as many words as the test needs."""

    def __init__(self, chromium, driver):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        options = {"binary": chromium,
                   "args": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                            "--enable-unsafe-swiftshader", "--hide-scrollbars"]}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        for attempt in range(100):
            try:
                session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
                break
            except urllib.error.URLError:
                if attempt == 99 or self.process.poll() is not None:
                    self.process.kill()
                    raise
                time.sleep(0.1)
        self.url += "/session/" + session["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(),
                                         {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def resize(self, width, height):
        """The area of the page, not the window."""
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def picture(self, selector=None):
        if selector is None:
            return base64.b64decode(self.call("GET", "/screenshot"))
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return base64.b64decode(self.call("GET", f"/element/{next(iter(element.values()))}/screenshot"))

    def drag(self, selector, dx, dy):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        move = {"type": "pointerMove", "duration": 50, "origin": element, "x": 0, "y": 0}
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            move, {"type": "pointerDown", "button": 0}, {**move, "x": dx, "y": dy}, {"type": "pointerUp", "button": 0}]}]})
        time.sleep(0.5)

    def close(self):
        self.call("DELETE", "")
        self.process.terminate()


def pixels(png):
    """Rows of the bytes of a PNG of 8 bits without interlacing, and the bytes of a pixel."""
    width, height, depth, colour = struct.unpack(">IIBB", png[16:26])
    assert depth == 8 and colour in (2, 6)
    n, position, packed = (3 if colour == 2 else 4), 8, b""
    while position < len(png):
        length, kind = struct.unpack(">I4s", png[position:position + 8])
        if kind == b"IDAT":
            packed += png[position + 8:position + 8 + length]
        position += length + 12
    raw, size, rows, before = zlib.decompress(packed), n * width, [], bytearray(n * width)
    for y in range(height):
        kind, row = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for i in range(size):
            left, up, corner = (row[i - n] if i >= n else 0), before[i], (before[i - n] if i >= n else 0)
            if kind == 1:
                row[i] = row[i] + left & 255
            elif kind == 2:
                row[i] = row[i] + up & 255
            elif kind == 3:
                row[i] = row[i] + (left + up) // 2 & 255
            elif kind == 4:
                guess = left + up - corner
                best = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = row[i] + best[2] & 255
        rows.append(row)
        before = row
    return rows, n


def share_of_changes(one, other):
    (a, n), (b, _) = pixels(one), pixels(other)
    changed = sum(ra[i:i + 3] != rb[i:i + 3] for ra, rb in zip(a, b) for i in range(0, len(ra), n))
    return changed / (len(a) * len(a[0]) / n)


def check(browser, page, width, has_part, part_alone, pictures):
    wrong = []
    browser.resize(width, 900)
    browser.call("POST", "/url", {"url": page.resolve().as_uri()})
    time.sleep(1)
    wrong += ["console: " + entry["message"] for entry in browser.call("POST", "/se/log", {"type": "browser"})]
    facts = browser.run("""
      const paths = [...document.querySelectorAll('#curves path.curve')].map(p => p.getAttribute('d'));
      return {height: document.documentElement.scrollHeight, wide: document.documentElement.scrollWidth,
              paths, rows: (JSON.parse(document.getElementById('data').textContent).history || '').trim().split('\\n').length - 1,
              texts: document.querySelectorAll('#curves text').length, title: document.title,
              bars: document.querySelectorAll('#times tr').length, deck: document.querySelector('#deck pre')?.textContent.length,
              legend: [...document.querySelectorAll('#legend label')].map(line => line.textContent),
              outside: performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith('data:'))};""")
    if facts["outside"]:
        wrong.append(f"it loads {facts['outside']}")
    if facts["wide"] > width:
        wrong.append(f"it is {facts['wide']} pixels wide, in a window of {width}")
    if facts["rows"] > 1 and (len(facts["paths"]) < 5 or any("L" not in d for d in facts["paths"])):
        wrong.append(f"curves without lines: {facts['paths']}")
    if facts["rows"] > 0 and facts["texts"] < 20:
        wrong.append("axes without numbers")
    if not part_alone and (facts["bars"] < 2 or facts["deck"] < 10):
        wrong.append("no shares of time, or no deck")
    if part_alone and (not facts["legend"] or "" in facts["legend"]):
        wrong.append(f"a legend without names: {facts['legend']}")
    if pictures is not None:
        browser.resize(width, facts["height"])
        time.sleep(0.5)
        (pictures / f"{page.resolve().parent.name}-{width}.png").write_bytes(browser.picture())
        browser.resize(width, 900)
        time.sleep(0.3)
    browser.run("document.getElementById('part').scrollIntoView({block: 'center'});")
    before = browser.picture("#part")
    browser.drag("#part", 90, 40)
    after = browser.picture("#part")
    if pictures is not None:
        (pictures / f"{page.resolve().parent.name}-{width}-turned.png").write_bytes(after)
    changed = share_of_changes(before, after)
    if changed < (0.01 if has_part else 0.0005):
        wrong.append(f"turning changes {100 * changed:.2f} % of the pixels of the part")
    if facts["rows"] > 0:
        shown = browser.run("""
          const svg = document.querySelector('#curves svg'), box = svg.getBoundingClientRect();
          svg.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + box.width / 2, clientY: box.top + 50}));
          return [...document.querySelectorAll('#curves figure')].filter(f => f.querySelector('.hover')).length;""")
        if shown < 5:
            wrong.append(f"the pointer shows values in {shown} figures")
    wrong += ["console: " + entry["message"] for entry in browser.call("POST", "/se/log", {"type": "browser"})]
    return [f"at a width of {width}: {text}" for text in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--no-part", action="store_true")
    parser.add_argument("--part-alone", action="store_true")
    options = parser.parse_args()
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        print("skipped: there is no Chromium with chromedriver (Debian: chromium chromium-driver)")
        return 77
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    wrong = []
    if options.page.stat().st_size > 8_000_000:
        wrong.append(f"{options.page.stat().st_size} bytes")
    browser = Browser(chromium, driver)
    try:
        for width in WIDTHS:
            wrong += check(browser, options.page, width, not options.no_part, options.part_alone, options.pictures)
    finally:
        browser.close()
    for text in wrong:
        print("WRONG:", text)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
