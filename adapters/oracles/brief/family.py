"""What a delegator does with many documents: the tree, the wait for all, the merging of traces."""

import trace
from document import brief, moment, response
from front import Refused


def tree(params, choices):
    held = {}
    for data in params["briefs"]:
        fields = brief(data, choices)[0]["fields"]
        if fields["id"] in held:
            raise Refused("two briefs with one id")
        held[fields["id"]] = fields
    parents = {name: fields.get("parentId") or None for name, fields in held.items()}
    outside = {parent for parent in parents.values() if parent is not None and parent not in held}
    depths = dict.fromkeys(outside, 0)
    for name in held:
        path, seen = [], set()
        while name not in depths and name is not None:
            if name in seen:
                raise Refused("a cycle")
            seen.add(name)
            path.append(name)
            name = parents[name]
        at = -1 if name is None else depths[name]
        for each in reversed(path):
            at += 1
            depths[each] = at
    if choices.chain == "refused":
        for name, fields in held.items():
            above = held.get(parents[name])
            if above:
                chain(above, fields)
    nodes = [{"id": name, "parent": parents[name], "depth": depths[name], "outside": False} for name in held]
    nodes += [{"id": name, "parent": None, "depth": 0, "outside": True} for name in outside]
    return {"nodes": sorted(nodes, key=lambda node: node["id"].encode())}


def chain(above, below):
    if "maxDepth" in above and below.get("maxDepth", 10**18) > above["maxDepth"]:
        raise Refused("a bound raised or dropped")
    if "currentDepth" in above and ("currentDepth" not in below or below["currentDepth"] <= above["currentDepth"]):
        raise Refused("a count lowered or dropped")
    if "maxDepth" in above and "currentDepth" not in below:
        raise Refused("a count dropped")


def fan_in(params, choices):
    received, bytes_of = {}, {}
    for data in params["responses"]:
        fields = response(data, choices)[0]["fields"]
        if bytes_of.setdefault(fields["id"], data) != data and choices.answers == "refused":
            raise Refused("two answers for one brief")
        received.setdefault(fields["id"], fields["status"])
    awaiting = list(dict.fromkeys(params["awaiting"]))
    if not all(isinstance(each, str) and each for each in awaiting):
        raise Refused("an id that is none")
    missing = [each for each in awaiting if each not in received]
    return {"complete": not missing, "missing": missing, "unexpected": [each for each in received if each not in awaiting],
            "received": [{"id": name, "status": status} for name, status in received.items()]}


def blocks(data, choices):
    """The entries as they stand, with their times."""
    found, lines = [], data.split(b"\n")
    for line in lines:
        if trace.AGENT.match(line.decode().removesuffix("\r")) or not found:
            found.append([])
        found[-1].append(line)
    made = [b"\n".join(each) for each in found]
    times = [moment(each["timestamp"], choices) for each in trace.entries(data, choices)[0]]
    kept = [each for each in made if trace.AGENT.match(each.split(b"\n")[0].decode().removesuffix("\r"))]
    return list(zip((each.rstrip(b"\r\n") for each in kept), times))


def merge(params, choices):
    held = params["trace"]
    trace.entries(held, choices)
    branches, seen = [], {}
    for branch in params["branches"]:
        down, back = branch["handed_down"], branch["returned"]
        trace.entries(down, choices), trace.entries(back, choices)
        if branch["brief"] in seen:
            if seen[branch["brief"]] == back:
                continue
        seen[branch["brief"]] = back
        rest = back[len(down):]
        if not back.startswith(down):
            raise Refused("not what was handed down")
        if rest and down and not down.endswith(b"\n"):
            if not rest.startswith((b"\n", b"\r\n")):
                raise Refused("not what was handed down, but longer")
        if b"- **A" in rest and not rest.lstrip(b"\r\n").startswith(b"- **Agent"):
            raise Refused("a line of an entry that was handed down")
        new = blocks(rest, choices) if rest.strip() else []
        later = iter(block for block, _ in blocks(held[len(down):], choices)) if held.startswith(down) and held[len(down):].strip() else iter(())
        if new and all(any(block == each for each in later) for block, _ in new):
            continue  # merged by an earlier call
        branches.append(new)
    added = []
    if choices.order == "branch":
        added = [entry for branch in branches for entry in branch]
    else:
        while any(branches):
            first = min((branch for branch in branches if branch), key=lambda branch: branch[0][1])
            added.append(first.pop(0))
    end = b"\r\n" if b"\r\n" in held else b"\n"
    glue = b"" if not held or held.endswith(b"\n") or not added else end
    return {"trace": held + glue + b"".join(block + end for block, _ in added)}
