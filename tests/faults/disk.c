/* A disk and a clock that fail on demand: preloaded into a process, it looks at what is done to the
 * files of one folder.
 *
 * FAULTS_FOLDER   the folder, without links
 * FAULTS_CONTROL  a file with the struct below, shared with the test, which may change it any time
 * FAULTS_JOURNAL  a file to which all that would have to reach the disk is appended, in its order
 *
 * Written for Linux with glibc, on machines whose off_t has 64 bits.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
    int64_t on_open;  /* the error number of opening a file to write or to make it; 0: none */
    int64_t on_write; /* of writing and cutting */
    int64_t on_sync;  /* of flushing */
    int64_t often;    /* so many flushes fail; -1: all */
    int64_t no_sync;  /* flushing does nothing, and says that it did */
    int64_t delay;    /* microseconds that a flush takes longer */
    int64_t room;     /* bytes that may still be written; -1: any number */
    int64_t clock;    /* seconds by which the clock on the wall is wrong */
    char match[64];   /* only files whose path holds this word fail; a last $ stands for its end */
    int64_t spare;    /* so many writes and flushes still succeed before the first fails */
    int64_t mode;     /* one of the modes below */
    int64_t life;     /* after so many things that are done the process is dead; 0: never */
    int64_t skipped;  /* which flushes do nothing, and say that they did: the sum of the bits below */
};

/* DEAD: nothing that the process does reaches a file any more, though it is told that it did.
 * BLIND: nothing is noted, and nothing fails. */
enum mode { ALIVE, DEAD, BLIND };
enum skipped { OF_FOLDERS = 1, OF_LOGS = 2, OF_FILES = 4 };

enum kind { MADE = 'C', WRITTEN = 'W', CUT = 'T', SYNCED = 'S', FAILED = 'F',
            UNLINKED = 'U', RENAMED = 'R', LINKED = 'L', FOLDER = 'M', NO_FOLDER = 'D' };

struct record {
    uint64_t mark, kind, inode, at, length; /* at: a place, a new size, or how long the journal was */
};
/* Before and behind every record: a process that ends while it writes one leaves a part of it. */
static const uint64_t MARK = 0xa51ca2ce3d1b0e7fu;

static struct control quiet = {.room = -1}, *control = &quiet;
static char folder[PATH_MAX];
static size_t folder_length;
static int journal = -1;

#define REAL(name) ({ static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); real; })

/* Called again by a fork that has got an environment of its own. */
__attribute__((constructor)) void begin_faults(void)
{
    const char *path = getenv("FAULTS_FOLDER"), *shared = getenv("FAULTS_CONTROL");
    if (path) {
        snprintf(folder, sizeof folder, "%s", path);
        folder_length = strlen(folder);
    }
    int file = shared ? syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC) : -1;
    if (file >= 0) {
        void *found = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (found != MAP_FAILED) control = found;
        syscall(SYS_close, file);
    }
}

/* Opened when it is first needed, and looked after: others close descriptors that they do not know. */
static int journal_file(void)
{
    static struct stat mine;
    struct stat now;
    if (journal >= 0 && !syscall(SYS_fstat, journal, &now) && now.st_ino == mine.st_ino
        && now.st_dev == mine.st_dev)
        return journal;
    const char *path = getenv("FAULTS_JOURNAL");
    if (!path) return -1;
    int low = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (low < 0) return -1;
    journal = syscall(SYS_fcntl, low, F_DUPFD_CLOEXEC, 200);
    if (journal < 0) journal = low; else syscall(SYS_close, low);
    syscall(SYS_fstat, journal, &mine);
    return journal;
}

static void note(enum kind kind, uint64_t inode, uint64_t at, const void *data, size_t length)
{
    if (control->mode == BLIND) return;
    int file = journal_file();
    if (file < 0) return;
    int before = errno;
    struct record record = {MARK, kind, inode, at, length};
    struct iovec parts[3] = {
        {&record, sizeof record}, {(void *)data, length}, {(void *)&MARK, sizeof MARK}};
    if (syscall(SYS_writev, file, parts, 3) != (long)(sizeof record + length + sizeof MARK)) abort();
    errno = before;
}

static int inside(const char *path)
{
    return folder_length && !strncmp(path, folder, folder_length) && path[folder_length] == '/'
        && strcmp(path + strlen(path) - (strlen(path) < 4 ? 0 : 4), "-shm");
}

static const char *whole(int at, const char *path, char *room)
{
    if (path[0] == '/') return path;
    char here[PATH_MAX], link[64];
    if (at != AT_FDCWD) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        long length = syscall(SYS_readlinkat, AT_FDCWD, link, here, PATH_MAX - 1);
        if (length <= 0) return path;
        here[length] = 0;
    } else if (!getcwd(here, sizeof here)) return path;
    snprintf(room, PATH_MAX, "%s/%s", here, path);
    return room;
}

/* The path of a descriptor, or NULL if it leads elsewhere. The folder itself counts too. */
static const char *path_of(int file, char *room)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, room, PATH_MAX - 1);
    if (length <= 0) return NULL;
    room[length] = 0;
    return inside(room) || (folder_length && !strcmp(room, folder)) ? room : NULL;
}

static int chosen(const char *path)
{
    size_t length = strlen(control->match), all = strlen(path);
    if (!length || control->match[length - 1] != '$') return strstr(path, control->match) != NULL;
    return all >= --length && !strncmp(path + all - length, control->match, length);
}

static int fails(int64_t error, const char *path)
{
    if (!error || control->mode == BLIND || !chosen(path)) return 0;
    if (control->spare > 0) {
        control->spare--;
        return 0;
    }
    errno = (int)error;
    return 1;
}

/* Whether the process is dead, once it has had this one more thing to do. */
static int dead(void)
{
    if (control->mode == ALIVE && control->life > 0 && !--control->life) control->mode = DEAD;
    return control->mode == DEAD;
}

static uint64_t inode_of(int file)
{
    struct stat status;
    return syscall(SYS_fstat, file, &status) ? 0 : status.st_ino;
}

/* ---- opening ---- */

static int opened(int at, const char *path, int flags, mode_t mode)
{
    char room[PATH_MAX];
    const char *full = whole(at, path, room);
    int before = errno, watched = inside(full), fresh = 0;
    if (watched && (flags & (O_WRONLY | O_RDWR | O_CREAT)) && fails(control->on_open, full)) return -1;
    if (watched && (flags & O_CREAT)) fresh = syscall(SYS_faccessat, AT_FDCWD, full, F_OK) != 0;
    if (watched && fresh && dead()) {
        errno = EIO;
        return -1;
    }
    if (control->mode == DEAD && watched) flags &= ~O_TRUNC;
    errno = before;
    int file = syscall(SYS_openat, at, path, flags, mode);
    if (file >= 0 && watched && fresh) note(MADE, inode_of(file), 0, full, strlen(full));
    if (file >= 0 && watched && !fresh && (flags & O_TRUNC)) note(CUT, inode_of(file), 0, NULL, 0);
    return file;
}

#define OPENING(name, first, at) \
    int name(first const char *path, int flags, ...) \
    { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { \
            va_list more; \
            va_start(more, flags); \
            mode = va_arg(more, mode_t); \
            va_end(more); \
        } \
        return opened(at, path, flags, mode); \
    }
#define NOTHING
#define FOLDER_FIRST int base,
OPENING(open, NOTHING, AT_FDCWD)
OPENING(open64, NOTHING, AT_FDCWD)
OPENING(openat, FOLDER_FIRST, base)
OPENING(openat64, FOLDER_FIRST, base)
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }

/* ---- writing ---- */

/* How much of a write there is room for; -1 if none of it is done. */
static ssize_t allowed(const char *path, size_t length)
{
    if (fails(control->on_write, path)) return -1;
    if (control->room < 0 || control->mode == BLIND || !chosen(path)) return (ssize_t)length;
    if (length && !control->room) {
        errno = ENOSPC;
        return -1;
    }
    size_t part = length < (size_t)control->room ? length : (size_t)control->room;
    control->room -= (int64_t)part;
    return (ssize_t)part;
}

static off_t place_of(int file)
{
    int flags = (int)syscall(SYS_fcntl, file, F_GETFL);
    return syscall(SYS_lseek, file, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
}

/* Noted before it is done: who is killed in between has left nothing on the disk that is not known. */
static ssize_t put(int file, const void *data, size_t length, off_t at, int moving)
{
    char room[PATH_MAX];
    int before = errno;
    const char *path = path_of(file, room);
    errno = before;
    if (path) {
        if (dead()) return (ssize_t)length;
        ssize_t part = allowed(path, length);
        if (part < 0) return -1;
        length = (size_t)part;
        if (moving) at = place_of(file);
    }
    if (path && length) note(WRITTEN, inode_of(file), (uint64_t)at, data, length);
    ssize_t done = moving ? syscall(SYS_write, file, data, length)
                          : syscall(SYS_pwrite64, file, data, length, at);
    if (path && done != (ssize_t)length) abort();
    return done;
}

ssize_t write(int file, const void *data, size_t length) { return put(file, data, length, 0, 1); }
ssize_t pwrite(int file, const void *data, size_t length, off_t at)
{
    return put(file, data, length, at, 0);
}
ssize_t pwrite64(int file, const void *data, size_t length, off_t at)
{
    return put(file, data, length, at, 0);
}

static ssize_t gathered(int file, const struct iovec *parts, int many, off_t at, int moving)
{
    char room[PATH_MAX];
    int before = errno;
    const char *path = path_of(file, room);
    errno = before;
    if (!path)
        return moving ? REAL(writev)(file, parts, many) : REAL(pwritev)(file, parts, many, at);
    ssize_t all = 0;
    for (int one = 0; one < many; one++) {
        ssize_t done = put(file, parts[one].iov_base, parts[one].iov_len, at + all, moving);
        if (done < 0) return all ? all : -1;
        all += done;
        if ((size_t)done < parts[one].iov_len) break;
    }
    return all;
}

ssize_t writev(int file, const struct iovec *parts, int many)
{
    return gathered(file, parts, many, 0, 1);
}
ssize_t pwritev(int file, const struct iovec *parts, int many, off_t at)
{
    return gathered(file, parts, many, at, 0);
}
ssize_t pwritev64(int file, const struct iovec *parts, int many, off_t at)
{
    return gathered(file, parts, many, at, 0);
}

int ftruncate(int file, off_t size)
{
    char room[PATH_MAX];
    const char *path = path_of(file, room);
    if (path && dead()) return 0;
    if (path && fails(control->on_write, path)) return -1;
    int done = (int)syscall(SYS_ftruncate, file, size);
    if (path && !done) note(CUT, inode_of(file), (uint64_t)size, NULL, 0);
    return done;
}
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

/* Said to be impossible, so that whoever asks writes zeros, which are seen. */
int posix_fallocate(int file, off_t at, off_t length)
{
    char room[PATH_MAX];
    return path_of(file, room) ? EOPNOTSUPP : REAL(posix_fallocate)(file, at, length);
}
int posix_fallocate64(int file, off_t at, off_t length) { return posix_fallocate(file, at, length); }

/* ---- flushing ---- */

static int skips(int file, const char *path)
{
    struct stat status;
    size_t length = strlen(path);
    if (!control->skipped || syscall(SYS_fstat, file, &status)) return 0;
    int of = S_ISDIR(status.st_mode) ? OF_FOLDERS : OF_FILES;
    if (length > 4 && !strcmp(path + length - 4, "-wal")) of = OF_LOGS;
    return (control->skipped & of) != 0;
}

static int flushed(int file, long call)
{
    char room[PATH_MAX];
    int before = errno;
    const char *path = path_of(file, room);
    errno = before;
    if (!path) return (int)syscall(call, file);
    if (dead() || skips(file, path)) return 0;
    struct stat so_far = {0};
    if (journal_file() >= 0) syscall(SYS_fstat, journal, &so_far);
    if (control->delay) usleep((useconds_t)control->delay);
    if (control->no_sync) return 0;
    if (control->often && fails(control->on_sync, path)) {
        if (control->often > 0) control->often--;
        note(FAILED, inode_of(file), (uint64_t)so_far.st_size, path, strlen(path));
        return -1;
    }
    note(SYNCED, inode_of(file), (uint64_t)so_far.st_size, path, strlen(path));
    return 0;
}

int fsync(int file) { return flushed(file, SYS_fsync); }
int fdatasync(int file) { return flushed(file, SYS_fdatasync); }

/* ---- names ---- */

static void named(enum kind kind, int at, const char *path, int beside, const char *other)
{
    char room[PATH_MAX], more[PATH_MAX], both[2 * PATH_MAX];
    const char *full = whole(at, path, room), *to = other ? whole(beside, other, more) : NULL;
    if (!inside(full) && !(to && inside(to))) return;
    int length = snprintf(both, sizeof both, to ? "%s\n%s" : "%s", full, to);
    note(kind, 0, 0, both, (size_t)length);
}

static int gone(int at, const char *path)
{
    char room[PATH_MAX];
    return inside(whole(at, path, room)) && dead();
}

static int refused(int at, const char *path)
{
    char room[PATH_MAX];
    const char *full = whole(at, path, room);
    return inside(full) && fails(control->on_open, full);
}

#define NAMING(name, kind, arguments, values, at, path, beside, other) \
    int name arguments \
    { \
        if (gone(at, path)) return 0; \
        if (refused(at, path)) return -1; \
        int done = REAL(name) values; \
        if (!done) named(kind, at, path, beside, other); \
        return done; \
    }
#define HERE AT_FDCWD
#define TWO const char *path, const char *other
NAMING(unlink, UNLINKED, (const char *path), (path), HERE, path, HERE, NULL)
NAMING(rename, RENAMED, (TWO), (path, other), HERE, path, HERE, other)
NAMING(link, LINKED, (TWO), (path, other), HERE, path, HERE, other)
NAMING(mkdir, FOLDER, (const char *path, mode_t mode), (path, mode), HERE, path, HERE, NULL)
NAMING(rmdir, NO_FOLDER, (const char *path), (path), HERE, path, HERE, NULL)
NAMING(unlinkat, flags & AT_REMOVEDIR ? NO_FOLDER : UNLINKED, (int at, const char *path, int flags),
       (at, path, flags), at, path, HERE, NULL)
NAMING(renameat, RENAMED, (int at, const char *path, int beside, const char *other),
       (at, path, beside, other), at, path, beside, other)
NAMING(mkdirat, FOLDER, (int at, const char *path, mode_t mode), (at, path, mode), at, path, HERE, NULL)

/* ---- the clock on the wall ---- */

int clock_gettime(clockid_t which, struct timespec *now)
{
    int done = (int)syscall(SYS_clock_gettime, which, now);
    if (!done && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        now->tv_sec += control->clock;
    return done;
}

int gettimeofday(struct timeval *now, void *zone)
{
    (void)zone;
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (where) *where = found.tv_sec;
    return found.tv_sec;
}

/* SQLite sleeps while another connection holds a lock. In a simulation, where all runs in one thread and the
   time is its own, nobody could let go of the lock meanwhile. */
int usleep(useconds_t microseconds)
{
    if (getenv("FAULTS_WITHOUT_SLEEP")) return 0;
    struct timespec left = {microseconds / 1000000, microseconds % 1000000 * 1000};
    return nanosleep(&left, NULL);
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    if (getenv("FAULTS_WITHOUT_SLEEP")) return 0;
    return REAL(nanosleep)(wanted, left);
}
