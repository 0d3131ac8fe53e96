"""Opens a picture of a map in headless Chromium, as a document and as a picture in a page. Prints the number of visible lines, areas and colours,
and the visible words. Exits with 1 if one of these is wrong.
"""
import base64, json, pathlib, sys

from page_check import Browser

# A script that describes the opened picture: its root element, its size, and the numbers of parse errors, loaded resources and scripts. It
# also gives the number of paths and the texts, as far as they are visible in the window.
SEEN = """(() => {
    const view = document.documentElement.viewBox.baseVal
    const seen = name => [...document.querySelectorAll(name)].filter(one => {
        const box = one.getBoundingClientRect()
        return (box.width > 0 || box.height > 0) && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight
    })
    return JSON.stringify({
        root: document.documentElement.localName, size: [view.width, view.height], faults: document.querySelectorAll("parsererror").length,
        shapes: seen("path").length, words: seen("text").map(one => one.textContent),
        loaded: performance.getEntriesByType("resource").length, scripts: document.scripts?.length ?? 0
    })
})()"""
COLOURS = """(async () => {
    const picture = new Image()
    picture.src = "data:image/svg+xml;base64,%s"
    await picture.decode()
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [640, 384]
    const context = canvas.getContext("2d")
    context.drawImage(picture, 0, 0, 640, 384)
    return new Set(new Uint32Array(context.getImageData(0, 0, 640, 384).data.buffer)).size
})()"""


def main():
    path, browser = pathlib.Path(sys.argv[1]), Browser()
    try:
        browser.size(1280, 800)
        browser.call("Page.navigate", url=path.as_uri())
        browser.wait("opened", "document.readyState === 'complete' && location.protocol === 'file:'")
        seen = json.loads(browser.value(SEEN))
        browser.picture(path.stem)
        browser.call("Page.navigate", url="about:blank")
        told = browser.call("Runtime.evaluate", expression=COLOURS % base64.b64encode(path.read_bytes()).decode(), awaitPromise=True, returnByValue=True)
        seen["colours"] = told["result"].get("value", 0)
        print(json.dumps(seen, ensure_ascii=False), flush=True)
        isGood = seen["root"] == "svg" and seen["faults"] == seen["loaded"] == seen["scripts"] == 0 and not browser.problems()
        sys.exit(0 if isGood else 1)
    finally:
        browser.close()


main()
