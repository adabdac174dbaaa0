// Command peers-go measures gnark-crypto and gnark for peers/run.
//
// It reads one request a line from standard input and answers each with one line:
//
//	info                      -> ok NAME=VERSION …
//	bench gnark ID SIZE MS    -> ok WALL_NS CPU_NS | none | err TEXT
//	check gnark ID SIZE       -> ok HEX | none | err TEXT
//	drop                      -> ok      (forgets cached inputs)
//
// ID and SIZE are those of the driver's table; MS is the time to spend, in milliseconds; the answer is in nanoseconds an operation. `check` returns a
// canonical result of the operation on the common inputs, so that the driver can see that every library computed the same thing.
package main

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

// row is one operation at one size, ready to run. op runs `count` operations; check gives the result in canonical hex, or is nil.
type row struct {
	op    func()
	count int
	check func() string
}

// builder prepares the row for a size; it fails on a size which has no meaning for the operation.
type builder func(size int) (row, error)

// key names a prepared row in the cache, which lives until the next `drop`.
type key struct {
	id   string
	size int
}

type session struct {
	builders map[string]builder
	rows     map[key]row
}

func main() {
	s := &session{builders: map[string]builder{}, rows: map[key]row{}}
	for _, table := range []map[string]builder{fqRows(), frRows(), fftRows(), msmRows(), groupRows(), pairingRows(), groth16Rows()} {
		for id, b := range table {
			s.builders[id] = b
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println(s.answer(strings.Fields(in.Text())))
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "peers-go: reading requests:", err)
		os.Exit(1)
	}
}

func (s *session) answer(words []string) string {
	switch {
	case len(words) == 1 && words[0] == "info":
		return "ok " + versions()
	case len(words) == 1 && words[0] == "drop":
		s.rows = map[key]row{}
		dropCircuits()
		runtime.GC()
		debug.FreeOSMemory()
		return "ok"
	case len(words) == 5 && words[0] == "bench":
		ms, err := strconv.Atoi(words[4])
		if err != nil {
			return "err bad time " + words[4]
		}
		return s.withRow(words[1:4], func(r row) string {
			wall, cpu := measure(r, time.Duration(ms)*time.Millisecond)
			return fmt.Sprintf("ok %.3f %.3f", wall, cpu)
		})
	case len(words) == 4 && words[0] == "check":
		return s.withRow(words[1:4], func(r row) string {
			if r.check == nil {
				return "none"
			}
			return "ok " + r.check()
		})
	}
	return "err unknown request"
}

// withRow finds or prepares the row named by [side, id, size] and gives it to use. A panic inside a library is an answer, not the end of the run.
func (s *session) withRow(words []string, use func(row) string) (answer string) {
	defer func() {
		if r := recover(); r != nil {
			answer = "err " + strings.ReplaceAll(fmt.Sprint(r), "\n", " ")
		}
	}()
	build, ok := s.builders[words[1]]
	if words[0] != "gnark" || !ok {
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

// versions lists the measured modules, as built.
func versions() string {
	out := []string{"go=" + strings.TrimPrefix(runtime.Version(), "go")}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			switch dep.Path {
			case "github.com/consensys/gnark-crypto":
				out = append(out, "gnark-crypto="+dep.Version)
			case "github.com/consensys/gnark":
				out = append(out, "gnark="+dep.Version)
			}
		}
	}
	return strings.Join(out, " ")
}
