// A Proofmark adapter: puts your implementation in front of proofmark, one line in, one line out.
//
//	go build -o adapter adapter.go
//	proofmark check -- ./adapter     is this adapter sound?
//	proofmark run -- ./adapter       does the implementation conform?
//
// It needs nothing but Go's standard library. Change the parts marked YOURS.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"unicode/utf8"
)

// YOURS: who you are, and the roles you claim ("proofmark list" names them all).
var hello = map[string]any{
	"protocol":       1,
	"implementation": map[string]any{"name": "my-implementation", "version": "0.0.0", "language": "Go"},
	"roles":          []string{"jcs/canonicalizer"},
}

// refused: the implementation read the input and turned it down. That is an answer; any other error is a fault.
type refused struct{ error }

// canonicalize: bytes in, bytes out, or refused.
func canonicalize(document []byte) ([]byte, error) {
	// YOURS: call your implementation here. This stand-in is what people write first, and it fails many cases.
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return nil, refused{err}
	}
	return json.Marshal(value)
}

// A document travels as {"text": …}, or as {"base64": …} where its bytes are not UTF-8. Always work on the bytes.
// (encoding/json reads and writes base64 for a []byte by itself.)
type document struct {
	Text   *string `json:"text,omitempty"`
	Base64 []byte  `json:"base64,omitempty"`
}

func (d document) bytes() []byte {
	if d.Text != nil {
		return []byte(*d.Text)
	}
	return d.Base64
}

func newDocument(content []byte) document {
	if text := string(content); utf8.ValidString(text) {
		return document{Text: &text}
	}
	return document{Base64: content}
}

type params struct {
	Document document `json:"document"`
	Repeat   int      `json:"repeat"`
}

func opCanonicalize(p params) (any, error) {
	canonical, err := canonicalize(p.Document.bytes())
	// Benchmarks ask for the same work several times over; everyone else asks once.
	for n := 1; n < p.Repeat && err == nil; n++ {
		canonical, err = canonicalize(p.Document.bytes())
	}
	return map[string]any{"document": newDocument(canonical)}, err
}

func opEcho(p params) (any, error) {
	return map[string]any{"document": newDocument(p.Document.bytes())}, nil
}

// YOURS: one entry for every operation of the roles you claim. Each returns the value of "ok".
var operations = map[string]func(params) (any, error){
	"hello":            func(params) (any, error) { return hello, nil },
	"echo":             opEcho,
	"jcs.canonicalize": opCanonicalize,
}

func answer(line []byte) map[string]any {
	var request struct {
		ID     *int64          `json:"id"`
		Op     *string         `json:"op"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(line, &request); err != nil || request.ID == nil || request.Op == nil {
		return map[string]any{"id": nil, "fault": map[string]any{"message": "this line is no request"}}
	}
	reply := func(kind string, value any) map[string]any { return map[string]any{"id": *request.ID, kind: value} }
	operation, offered := operations[*request.Op]
	if !offered {
		return reply("unsupported", map[string]any{"what": *request.Op})
	}
	var p params
	if len(request.Params) > 0 {
		if err := json.Unmarshal(request.Params, &p); err != nil {
			return reply("fault", map[string]any{"message": err.Error()})
		}
	}
	value, err := operation(p)
	if _, ok := err.(refused); ok {
		return reply("refused", map[string]any{"message": err.Error()})
	} else if err != nil {
		return reply("fault", map[string]any{"message": err.Error()})
	}
	return reply("ok", value)
}

func main() {
	// Print to standard error if you print at all.
	input := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimRight(line, "\n")) > 0 || err == nil {
			reply, _ := json.Marshal(answer(line))
			fmt.Fprintf(os.Stdout, "%s\n", reply)
		}
		if err != nil {
			return // the input closed
		}
	}
}
