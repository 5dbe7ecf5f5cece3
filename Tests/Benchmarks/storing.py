"""The history's store, held against SQLite from C and against a history of another length."""

import statistics

from working import Work


def storing(bench):
    """The store against the same statements through SQLite from C, and histories of two lengths."""
    short, long = (1_000, 10_000) if bench.small else (10_000, 1_000_000)
    with Work("store", long, bench.place("long")) as work:
        for what, name, bar in (
            ("one insert, a transaction of its own", "insert", 2),
            ("500 inserts in one transaction", "bulk insert", 1.5),
            ("reading an exchange by its id", "read", 1.5),
        ):
            bench.ratio(
                f"{what}, against the same from C", bench.bar(bar),
                3 if bench.small else 9, work.seconds(name), work.seconds(f"{name} in C"))
        hop = statistics.median(work.seconds("hop")() for _ in range(21))
        bench.report("the way to the store's thread and back", f"{hop * 1e6:.1f} us", hop)
        with Work("store", short, bench.place("short")) as other:
            for name, bar in QUERIES:
                growth(bench, name, bar, work, other, (short, long))
        pairs(bench, work, long)
        figures(bench, work, long)


# What is asked of a history, and the milliseconds that 99 of 100 should take at any length.
QUERIES = (
    ("open", 2), ("newest page", 5), ("page of a host", 5), ("page of a status", 5),
    ("page of a request", 5), ("page of two filters that many meet", 5), ("next page", 5),
    ("word", 50), ("two words", 50), ("two words that never meet", 50), ("beginning of words", 50),
)


# Two filters at once. Those that few meet have a page to look for in the longer history alone, so
# that only the clock can judge it.
PAIRS = (
    "page of two filters", "page of two filters that many meet",
    "page of two filters that few meet",
)


# What figures are grouped by beside hosts.
KEYS = ("path", "request", "status", "method", "environment", "day")


# What stored requests are looked for by; 99 of 100 of these take 5 ms at most.
SEARCHES = (
    "all", "text that many have", "text that one has", "text that none has", "method", "tag",
    "header that all have", "header with a value", "parameter", "text, method and tag", "by name",
    "by last change", "text in a folder", "tag that all have", "after a change",
    "first of a process",
)


def finding(bench):
    """Stored requests are found at once, by whatever they are looked for."""
    count = 1_000 if bench.small else 10_000
    with Work("collections", count, bench.place("collections")) as work:
        for name in SEARCHES:
            # Another process may hold this one up in one round, but not in each.
            slowest = min(
                sorted(work.seconds(name)() for _ in range(100))[98] for _ in range(5))
            key = f"finding stored requests of {count}, 99 of 100: {name}"
            text = f"{slowest * 1000:.2f} ms"
            if bench.small:
                bench.report(key, text, slowest)
            else:
                bench.judge(
                    slowest <= FINDING, key, f"{text} (bar {FINDING * 1000:g})", slowest, FINDING)


def growth(bench, name, goal, long, short, lengths):
    """A query must not become slower with the history than its bar says."""
    count = 40 if bench.small else 300

    def slowest(work):
        times = sorted(work.seconds(name)() for _ in range(count))
        return times[count * 99 // 100 - 1]

    bar = bench.bar(2, small=5)
    quotient, mine, other, _ = bench.compare(bar, 1, lambda: slowest(long), lambda: slowest(short))
    # The smallest figures are those of the machine rather than of the query.
    quotient = mine / max(other, 0.0005)
    bench.judge(
        quotient <= bar, f"{name}, 99 of 100, of {lengths[1]} exchanges against {lengths[0]}",
        f"{mine * 1000:.2f} ms (aim {goal}) against {other * 1000:.2f} ms: {quotient:.2f}"
        f" (bar {bar:g})", quotient, bar)


def pairs(bench, work, count):
    """A page of two filters is found at once, by however many exchanges they are met."""
    for name in PAIRS:
        key = f"{name}, 99 of 100, of {count} exchanges"

        def slowest(name=name):
            return sorted(work.seconds(name)() for _ in range(300))[296]

        seconds = bench.good(lambda found: found <= PAGE, slowest)
        text = f"{seconds * 1000:.2f} ms"
        if bench.small:
            bench.report(key, text, seconds)
        else:
            bench.judge(seconds <= PAGE, key, f"{text} (bar {PAGE * 1000:g} ms)", seconds, PAGE)


def figures(bench, work, count):
    """Figures of a whole history, which a person waits for."""
    for name in KEYS:
        seconds = min(work.seconds(f"statistics by {name}")() for _ in range(5))
        bench.report(
            f"statistics by {name} of {count} exchanges", f"{seconds * 1000:.0f} ms", seconds)
    key = "statistics by host"
    seconds = bench.good(
        lambda found: found <= STATISTICS, lambda: min(work.seconds(key)() for _ in range(5)))
    text = f"{seconds * 1000:.0f} ms"
    if bench.small:
        bench.report(f"{key} of {count} exchanges", text, seconds)
    else:
        bench.judge(
            seconds <= STATISTICS, f"{key} of {count} exchanges",
            f"{text} (bar {STATISTICS * 1000:g} ms)", seconds, STATISTICS)


# Seconds that the figures of a million exchanges may take.
STATISTICS = 0.3
# Seconds until a page of two filters is found.
PAGE = 0.005
# Seconds until a page of 10,000 stored requests is found.
FINDING = 0.005
