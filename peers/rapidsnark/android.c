// What rapidsnark's library for Android asks of Android's C library and glibc has not, or has otherwise. The program exports these names
// (-rdynamic), so that the loader finds them before glibc's; types that both have (mutexes, condition variables, stat, locales) agree in
// size and in what all zeros mean on x86-64.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Android's stdin, stdout, stderr: an array of three, of 152 bytes each.
char __sF[3][152];

static FILE *translated(FILE *file) {
    size_t offset = (char *)file - __sF[0];
    FILE *const own[3] = {stdin, stdout, stderr};
    return offset < sizeof __sF ? own[offset / sizeof __sF[0]] : file;
}

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

// Of those that take a file: what this library calls with its standard streams.
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    static size_t (*real)(const void *, size_t, size_t, FILE *);
    if (!real) real = next("fwrite");
    return real(bytes, size, count, translated(file));
}

int fflush(FILE *file) {
    static int (*real)(FILE *);
    if (!real) real = next("fflush");
    return real(file ? translated(file) : NULL);
}

int fputc(int character, FILE *file) { return putc(character, translated(file)); }

int vfprintf(FILE *file, const char *format, va_list arguments) {
    static int (*real)(FILE *, const char *, va_list);
    if (!real) real = next("vfprintf");
    return real(translated(file), format, arguments);
}

int fprintf(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vfprintf(file, format, arguments);
    va_end(arguments);
    return written;
}

int *__errno(void) { return __errno_location(); }

void __assert2(const char *file, int line, const char *function, const char *what) {
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, function, what);
    abort();
}

void android_set_abort_message(const char *message) { fprintf(stderr, "%s\n", message); }

size_t __strlen_chk(const char *text, size_t size) {
    size_t length = strlen(text);
    if (length >= size) abort();
    return length;
}

char *__strncpy_chk2(char *to, const char *from, size_t count, size_t to_size, size_t from_size) {
    (void)from_size;
    if (count > to_size) abort();
    return strncpy(to, from, count);
}

// Names of what may be asked have other numbers. The processors are those that this process may use: so many threads it starts.
long sysconf(int name) {
    static long (*real)(int);
    if (!real) real = next("sysconf");
    cpu_set_t cores;
    switch (name) {
    case 0x27: case 0x28: return real(_SC_PAGESIZE);
    case 0x60: case 0x61: return sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);
    default: fprintf(stderr, "sysconf(%d)\n", name); abort();
    }
}

// Without a version a name is bound to its oldest, which for these is another condition variable.
#define FORWARD(name, parameters, arguments) \
    int name parameters { \
        static int (*real) parameters; \
        if (!real) real = next(#name); \
        return real arguments; \
    }
FORWARD(pthread_cond_broadcast, (pthread_cond_t *c), (c))
FORWARD(pthread_cond_destroy, (pthread_cond_t *c), (c))
FORWARD(pthread_cond_signal, (pthread_cond_t *c), (c))
FORWARD(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
FORWARD(pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t), (c, m, t))
