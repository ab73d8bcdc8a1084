"""Checks archives that StubKit wrote: check.py SCHEMA FILE…

Each file has to meet the schema of HAR 1.2, and haralyzer has to read it. A file whose name begins with "broken" has to fail.
"""
import base64
import json
import pathlib
import sys

import haralyzer
import jsonschema


def problems(schema, file):
    archive = json.loads(file.read_text(encoding="utf-8"))
    found = [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
        for error in jsonschema.Draft7Validator(schema).iter_errors(archive)
    ]
    if found:
        return found
    for number, entry in enumerate(archive["log"]["entries"], 1):
        content, timings = entry["response"]["content"], entry["timings"]
        if "text" in content:
            text = content["text"]
            body = base64.b64decode(text, validate=True) if "encoding" in content else text.encode()
            if len(body) != content["size"]:
                found.append(f"entry {number}: the body has {len(body)} bytes, and its size is {content['size']}")
        if "_file" in content and (file.parent / content["_file"]).stat().st_size != content["size"]:
            found.append(f"entry {number}: the file {content['_file']} does not have its size")
        if abs(timings["send"] + timings["wait"] + timings["receive"] - entry["time"]) > 0.0015:
            found.append(f"entry {number}: the timings do not add up")
    entries = haralyzer.HarParser(archive).har_data["entries"]
    if len(entries) != len(archive["log"]["entries"]):
        found.append(f"haralyzer reads {len(entries)} entries")
    for number, entry in enumerate(archive["log"]["entries"], 1):
        read = haralyzer.HarEntry(entry)
        if read.request.url != entry["request"]["url"] or read.response.status != entry["response"]["status"]:
            found.append(f"entry {number}: haralyzer reads another request or response")
        content = entry["response"]["content"]
        # haralyzer raises an error for a response without text.
        if "text" in content and read.response.text != content["text"]:
            found.append(f"entry {number}: haralyzer reads another body")
    return found


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    status, count = 0, 0
    for name in sys.argv[2:]:
        file = pathlib.Path(name)
        found = problems(schema, file)
        count += 1
        if file.name.startswith("broken"):
            if not found:
                print(f"{file.name} is broken, and nothing was found.")
                status = 1
            continue
        for problem in found:
            print(f"{file.name}: {problem}")
            status = 1
    if status == 0:
        print(f"{count} archives are as they have to be.")
    sys.exit(status)


main()
