"""What the Agent Skills specification asks of the front matter of a SKILL.md, as far as one line a field shows it."""

import posixpath
import re
from urllib.parse import unquote

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def fault(data, uri):
    """What is wrong with the file, or None. Front matter is read line by line: `field: value`, plain or quoted."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return "no UTF-8"
    front = re.match(r"---[ \t]*\r?\n(.*?)(?:^|\n)---[ \t]*(?:\r?\n|\Z)", text, re.S)
    if front is None:
        return "no front matter"
    fields = dict(re.findall(r"^([A-Za-z-]+):[ \t]*(.*?)[ \t\r]*$", front[1], re.M))
    fields = {name: re.sub(r'^(["\'])(.*)\1$', r"\2", value) for name, value in fields.items()}
    name, description = fields.get("name", ""), fields.get("description", "")
    if not NAME.fullmatch(name) or len(name) > 64:
        return "no name that a skill may have"
    if not 1 <= len(description) <= 1024:
        return "no description of 1 to 1024 characters"
    folder = posixpath.basename(posixpath.dirname(unquote(re.split(r"[?#]", uri)[0])))
    if folder and folder != "." and folder != name:
        return "another name than its folder's"
    return None
