package harness

import (
	"math"
	"runtime"
	"syscall"
	"time"
)

// shortestSample is long against the clocks' resolution (getrusage counts microseconds) and short against the time between interruptions.
const shortestSample = 2 * time.Millisecond

// measure returns nanoseconds an operation, by wall clock and by CPU time of the whole process: the smallest of as many samples as fit in budget, at least one.
// The first sample also warms caches and branch predictors, so it counts only if there is no time for another.
func measure(r Row, budget time.Duration) (wall, cpu float64) {
	runtime.GC() // rubbish of earlier rows is not this row's cost
	sample := func(repeats int) (time.Duration, time.Duration) {
		cpu0, wall0 := CPUTime(), time.Now()
		for range repeats {
			r.Op()
		}
		return time.Since(wall0), CPUTime() - cpu0
	}
	began := time.Now()
	firstWall, firstCPU := sample(1)
	repeats := 1
	for firstWall < shortestSample && time.Since(began) < budget {
		repeats = max(repeats*2, int(float64(repeats)*float64(shortestSample)/float64(max(firstWall, 1))))
		firstWall, firstCPU = sample(repeats)
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / float64(repeats*r.Count) }
	if time.Since(began) >= budget {
		return per(firstWall), per(firstCPU)
	}
	wall, cpu = math.Inf(1), math.Inf(1)
	for {
		w, c := sample(repeats)
		wall, cpu = math.Min(wall, per(w)), math.Min(cpu, per(c))
		if time.Since(began) >= budget {
			return wall, cpu
		}
	}
}

// CPUTime is what the whole process has used.
func CPUTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// memory runs the row once, warm, and counts what an operation allocates; held is what the row says its result keeps.
func memory(r Row) (bytes, count float64, held uint64) {
	r.Op() // what is made once (tables, pools) is not each run's cost
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.Op()
	runtime.ReadMemStats(&after)
	if r.Held != nil {
		held = r.Held()
	}
	per := func(total uint64) float64 { return float64(total) / float64(r.Count) }
	return per(after.TotalAlloc - before.TotalAlloc), per(after.Mallocs - before.Mallocs), held
}
