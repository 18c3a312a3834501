"""A runtime adapter on the official MCP client for Python (`mcp` 2): both revisions, whichever the server speaks.

It reads manifests only as far as valid ones need.
"""

import asyncio
import contextlib
import importlib.metadata
import json
import logging
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from proofmark_adapter import read_document, serve

STEP = 3
logging.disable(logging.CRITICAL)


def bindings(manifest, wanted):
    capability = next(one for one in manifest["capabilities"] if one["id"] == wanted)
    own = {}
    for reference in capability.get("toolRefs", []):
        for server in manifest["mcpServers"]:
            head = server["id"] + ":"
            if reference.startswith(head) and reference[len(head):] in server["allowedTools"]:
                tools = own.setdefault(server["id"], (server, []))[1]
                if reference[len(head):] not in tools:
                    tools.append(reference[len(head):])
    return own


async def serve_one(server, token, calls, listed, results):
    """Everything that concerns one server: what it lists goes to `listed`, and what calls gave to `results`, by place."""
    if server["transport"] != "streamable-http":
        raise ValueError("no such transport")
    headers = {"Authorization": f"Bearer {token}"} if token is not None else {}
    async with httpx2.AsyncClient(headers=headers, timeout=STEP, trust_env=False) as http:
        transport = streamable_http_client(server["endpoint"], http_client=http)
        async with Client(transport, mode="auto", read_timeout_seconds=STEP) as client:
            names, cursor = set(), None
            # A connection that breaks later was still one that listed.
            for _ in range(100):
                page = await client.list_tools(cursor=cursor)
                names.update(tool.name for tool in page.tools)
                cursor = page.next_cursor
                if cursor is None:
                    listed.append(names)
                    break
            for place, call in calls:
                try:
                    if call["tool"] not in names:
                        raise ValueError("not listed")
                    result = await client.call_tool(call["tool"], call["arguments"])
                    results[place] = {"result": result.model_dump(mode="json", by_alias=True, exclude_none=True)}
                except Exception as error:
                    results[place] = {"error": {"message": f"{type(error).__name__}: {error}"[:500]}}


async def invoke_all(params):
    own = bindings(json.loads(read_document(params["manifest"])), params["capability"])
    calls, credentials = params["calls"], params.get("credentials", {})
    results = [
        {"error": {"message": "not made"}}
        if call["server"] in own and call["tool"] in own[call["server"]][1]
        else {"refused": {"message": "not this capability's"}}
        for call in calls
    ]
    offered, missing = [], []
    # One server after the other: each connection belongs to the task that opened it.
    for id, (server, tools) in own.items():
        mine = [(at, call) for at, call in enumerate(calls) if call["server"] == id and "error" in results[at]]
        listed = []
        try:
            await serve_one(server, credentials.get(id), mine, listed, results)
        except Exception as error:
            for at, _ in mine:
                if "result" not in results[at]:
                    results[at] = {"error": {"message": f"{type(error).__name__}: {error}"[:500]}}
        for tool in tools if listed else []:
            (offered if tool in listed[0] else missing).append(f"{id}:{tool}")
    return {"offered": offered, "missing": missing, "results": results}


def invoke(params):
    return asyncio.run(invoke_all(params))


def load(params):
    manifest = json.loads(read_document(params["manifest"]))
    return {
        "capabilities": [one["id"] for one in manifest["capabilities"]],
        "unavailable": [],
        "unsupported": [],
        "resources": [],
        "warnings": [],
    }


def expose(params):
    own = bindings(json.loads(read_document(params["manifest"])), params["capability"])
    return {"tools": [f"{id}:{tool}" for id, (_, tools) in own.items() for tool in tools]}


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        serve(
            name="mcp",
            version=importlib.metadata.version("mcp"),
            roles=["brick/runtime-adapter"],
            operations={"brick.invoke": invoke, "brick.load": load, "brick.expose": expose},
        )
