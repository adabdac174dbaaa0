// Package harness is what the Go programs of peers/ share: the line protocol, timing, counting of allocations, and the common inputs.
//
// A program reads one request a line from standard input and answers each with one line:
//
//	info                      -> ok NAME=VERSION …
//	bench SIDE ID SIZE MS     -> ok WALL_NS CPU_NS | none | err TEXT
//	check SIDE ID SIZE        -> ok HEX | none | err TEXT
//	memory SIDE ID SIZE       -> ok BYTES ALLOCATIONS HELD_BYTES | none | err TEXT
//	cross SIDE ID ARGUMENT …  -> ok TEXT | none | err TEXT
//	drop                      -> ok      (forgets cached inputs)
//
// ID and SIZE are those of the driver's table; MS is the time to spend, in milliseconds; the answer is in nanoseconds an operation. `check` returns a
// canonical result of the operation on the common inputs, so that the driver can see that every library computed the same thing. `memory` runs the row
// once, warm, and counts what an operation allocates; HELD_BYTES is what its result keeps, 0 where nobody asks. `cross` computes something for the driver's cross-checks.
package harness

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// longestRequest bounds a line of the protocol: a statement of some hundred openings, in hex.
const longestRequest = 16 << 20

// Row is one operation at one size, ready to run. Op runs Count operations; Check gives the result in canonical hex, or is nil; Held the bytes that
// the result of Op keeps, or is nil.
type Row struct {
	Op    func()
	Count int
	Check func() string
	Held  func() uint64
}

// Builder prepares the row for a size; it fails on a size which has no meaning for the operation.
type Builder func(size int) (Row, error)

// Crossing computes one answer of a cross-check from the words of the request.
type Crossing func(arguments []string) (string, error)

// Program is what a measuring program consists of.
type Program struct {
	Side     string   // the library's name in the protocol
	Modules  []string // module paths whose versions `info` lists
	Builders []map[string]Builder
	Crossing map[string]Crossing
	Forget   func() // frees what rows share beyond themselves; may be nil
}

// key names a prepared row in the cache, which lives until the next `drop`.
type key struct {
	id   string
	size int
}

type session struct {
	Program
	builders map[string]Builder
	rows     map[key]Row
}

// Serve answers requests until the standard input ends.
func Serve(program Program) {
	s := &session{Program: program, builders: map[string]Builder{}, rows: map[key]Row{}}
	for _, table := range program.Builders {
		for id, b := range table {
			s.builders[id] = b
		}
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, longestRequest)
	for in.Scan() {
		fmt.Println(s.answer(strings.Fields(in.Text())))
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, program.Side+": reading requests:", err)
		os.Exit(1)
	}
}

// answer gives the line for one request. A panic inside a library is an answer, not the end of the run.
func (s *session) answer(words []string) (line string) {
	defer func() {
		if r := recover(); r != nil {
			line = "err " + strings.ReplaceAll(fmt.Sprint(r), "\n", " ")
		}
	}()
	switch {
	case len(words) == 1 && words[0] == "info":
		return "ok " + versions(s.Modules)
	case len(words) == 1 && words[0] == "drop":
		s.rows = map[key]Row{}
		if s.Forget != nil {
			s.Forget()
		}
		runtime.GC()
		debug.FreeOSMemory()
		return "ok"
	case len(words) == 5 && words[0] == "bench":
		ms, err := strconv.Atoi(words[4])
		if err != nil {
			return "err bad time " + words[4]
		}
		return s.withRow(words[1:4], func(r Row) string {
			wall, cpu := measure(r, time.Duration(ms)*time.Millisecond)
			return fmt.Sprintf("ok %.3f %.3f", wall, cpu)
		})
	case len(words) == 4 && words[0] == "check":
		return s.withRow(words[1:4], func(r Row) string {
			if r.Check == nil {
				return "none"
			}
			return "ok " + r.Check()
		})
	case len(words) == 4 && words[0] == "memory":
		return s.withRow(words[1:4], func(r Row) string {
			bytes, count, held := memory(r)
			return fmt.Sprintf("ok %.1f %.2f %d", bytes, count, held)
		})
	case len(words) >= 3 && words[0] == "cross":
		return s.cross(words[1:])
	}
	return "err unknown request"
}

// withRow finds or prepares the row named by [side, id, size] and gives it to use.
func (s *session) withRow(words []string, use func(Row) string) string {
	build, ok := s.builders[words[1]]
	if words[0] != s.Side || !ok {
		return "none"
	}
	size, err := strconv.Atoi(words[2])
	if err != nil {
		return "err bad size " + words[2]
	}
	k := key{words[1], size}
	r, ok := s.rows[k]
	if !ok {
		if r, err = build(size); err != nil {
			return "err " + err.Error()
		}
		s.rows[k] = r
	}
	return use(r)
}

func (s *session) cross(words []string) string {
	run, ok := s.Crossing[words[1]]
	if words[0] != s.Side || !ok {
		return "none"
	}
	text, err := run(words[2:])
	if err != nil {
		return "err " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	return "ok " + text
}

// versions lists the measured modules, as built.
func versions(modules []string) string {
	out := []string{"go=" + strings.TrimPrefix(runtime.Version(), "go")}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range modules {
			for _, dep := range info.Deps {
				if dep.Path == module {
					out = append(out, module[strings.LastIndex(module, "/")+1:]+"="+dep.Version)
				}
			}
		}
	}
	return strings.Join(out, " ")
}

// Must unwraps results of calls on inputs which we made ourselves; the session turns the panic into an answer.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
