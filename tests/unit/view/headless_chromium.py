"""Drives a headless Chromium over its DevTools protocol: enough to load a page, press keys and look at pixels."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
)
KEYS = {
    " ": ("Space", 32),
    "ArrowLeft": ("ArrowLeft", 37),
    "ArrowUp": ("ArrowUp", 38),
    "ArrowRight": ("ArrowRight", 39),
    "ArrowDown": ("ArrowDown", 40),
    "Home": ("Home", 36),
    "End": ("End", 35),
    "Escape": ("Escape", 27),
}


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser process with its own profile in `folder`; close it when done."""

    def __init__(self, program: str, folder: Path) -> None:
        command = [program, *FLAGS, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.port = self._port(folder / "DevToolsActivePort")

    def _port(self, file: Path, seconds: float = 180.0) -> int:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"Chromium ended at once with code {self.process.returncode}")
            with contextlib.suppress(FileNotFoundError):
                lines = file.read_text().splitlines()
                if len(lines) >= 2:
                    return int(lines[0])
            time.sleep(0.05)
        raise TimeoutError("Chromium did not open its DevTools port")

    def page(
        self, width: int = 1280, height: int = 800, *, dark: bool = False, mobile: bool = False, scale: float = 1.0
    ) -> Page:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            target = json.load(answer)
        return Page(target["webSocketDebuggerUrl"], width, height, dark=dark, mobile=mobile, scale=scale)

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)


class Page:
    """One tab: collects what the console says and every request it makes.

    scale: pixels of the screen for each of the page's; with less, what is drawn without a graphics card takes less.
    """

    def __init__(self, address: str, width: int, height: int, *, dark: bool, mobile: bool, scale: float) -> None:
        from websockets.sync.client import connect

        self.scale = scale

        self.socket = connect(address, max_size=None, open_timeout=30)
        self.count = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height, mobile=mobile)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=180))
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return dict(message["result"])
            self._note(message)

    def _note(self, message: dict[str, Any]) -> None:
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def resize(self, width: int, height: int, *, mobile: bool = False) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=self.scale,
            mobile=mobile,
        )

    def goto(self, address: str, ready: str = "document.readyState === 'complete'", seconds: float = 180.0) -> None:
        self.call("Page.navigate", url=address)
        self.wait_for(ready, seconds)

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 180.0) -> None:
        deadline = time.monotonic() + seconds
        while not self.evaluate(f"!!({expression})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"still false after {seconds} s: {expression}; errors: {self.errors}")
            time.sleep(0.05)

    def press(self, key: str) -> None:
        code, number = KEYS.get(key, ("", ord(key.upper()) if len(key) == 1 else 0))
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code, windowsVirtualKeyCode=number, **text)
            text = {}

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", buttons=1, clickCount=1)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        self.mouse("mouseMoved", *end, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def box(self, selector: str) -> dict[str, float]:
        found = self.evaluate(f"(() => {{const b = document.querySelector({selector!r}).getBoundingClientRect();"
                              "return {x: b.x, y: b.y, width: b.width, height: b.height};})()")  # fmt: skip
        return dict(found)

    def screenshot(self, selector: str | None = None, save: Path | None = None) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Pixels (height, width, 3) of the window, or of one element."""
        from PIL import Image

        clip = {"clip": {**self.box(selector), "scale": 1}} if selector else {}
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", **clip)["data"])
        if save:
            save.write_bytes(data)
        return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.call("Page.close")
        self.socket.close()
