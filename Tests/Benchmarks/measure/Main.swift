// Does one piece of work at a time, as often as run.py asks, and says how long it took.
//
//     measure requests COUNT | json BYTES
//
// First comes a JSON array with the names of what can be done beyond what run.py knows. Then each
// line of the input is a name, each line of the output a JSON object with the seconds of processor
// time that the work took, its size and what was found. So the two sides of a ratio can alternate,
// in one process and on the same data.

import PostKitJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Pieces of work on data that was made beforehand.
protocol Workload {
  /// What can be done beyond what run.py knows.
  var names: [String] { get }
  /// The bytes that the work of a name is done on; `nil` for a name that isn't known.
  mutating func size(of name: String) -> Int?
  /// Does the work; the number is what was found, so that nothing can be left out.
  mutating func run(_ name: String) throws -> Int
  /// Lets go of what the work made, which is no part of it.
  mutating func clear()
}

@main struct Measure {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let size = arguments.last.flatMap(Int.init), size > 0 else {
      return fail("usage: measure requests COUNT | json BYTES")
    }
    var workload: any Workload
    switch arguments.first {
    case "requests": workload = RequestWorkload(count: size)
    case "json": workload = JSONWorkload(size: size)
    default: return fail("there is no workload of this name")
    }
    print(JSONValue.array(workload.names.map { .string($0) }).text)
    fflush(nil)
    while let name = readLine() {
      guard let size = workload.size(of: name) else { return fail("there is no work `\(name)`") }
      let started = processorSeconds()
      let found = try workload.run(name)
      let seconds = processorSeconds() - started
      workload.clear()
      let answer: JSONValue = [
        "seconds": .number("\(seconds)"), "bytes": .int(size), "found": .int(found),
      ]
      print(answer.text)
      fflush(nil)
    }
  }

  private static func fail(_ message: String) {
    print(message)
    exit(2)
  }

  /// The processor time of this thread: other processes don't count.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
