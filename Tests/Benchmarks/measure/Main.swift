// Does one piece of work at a time, as often as run.py asks, and says how long it took.
//
//     measure requests COUNT | json BYTES | schema BYTES | file PATH
//     measure (store | collections) COUNT DIRECTORY
//     measure description FILE.json FILE.yaml
//
// First comes a JSON array with the names of what can be done beyond what run.py knows. Then each
// line of the input is a name, each line of the output a JSON object with the seconds of processor
// time that the work took, its size and what was found. So the two sides of a ratio can alternate,
// in one process and on the same data. Works on a store have a thread of their own, and the seconds
// are those of the wall clock there.

import Libc
import PostKitJSON

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

/// Pieces of work on a store.
protocol StoreWork {
  /// The seconds that a work takes, each time it is done; `nil` for a name that isn't known.
  mutating func seconds(_ name: String) async throws -> Double?
}

@main struct Measure {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst().map { $0 }
    if arguments.count == 2, arguments[0] == "file" {
      return try serve(JSONWorkload(path: arguments[1]))
    }
    if arguments.count == 3, arguments[0] == "description" {
      return try serve(DescriptionWorkload(json: arguments[1], yaml: arguments[2]))
    }
    guard arguments.count >= 2, let size = Int(arguments[1]), size > 0 else {
      return fail(
        "usage: measure requests COUNT | json BYTES | schema BYTES | file PATH | "
          + "(store | collections) COUNT DIRECTORY | description FILE.json FILE.yaml")
    }
    switch (arguments[0], arguments.count) {
    case ("requests", 2): try serve(RequestWorkload(count: size))
    case ("json", 2): try serve(JSONWorkload(size: size))
    case ("schema", 2): try serve(SchemaWorkload(size: size))
    case ("store", 3): try await serve(StoreWorkload(directory: arguments[2], count: size))
    case ("collections", 3):
      try await serve(CollectionWorkload(directory: arguments[2], count: size))
    default: fail("there is no workload of this name")
    }
  }

  private static func serve(_ workload: some Workload) throws {
    var workload = workload
    answer(.array(workload.names.map { .string($0) }))
    while let name = readLine() {
      guard let size = workload.size(of: name) else { return fail("there is no work `\(name)`") }
      let started = processorSeconds()
      let found = try workload.run(name)
      let seconds = processorSeconds() - started
      workload.clear()
      answer(["seconds": .number("\(seconds)"), "bytes": .int(size), "found": .int(found)])
    }
  }

  private static func serve(_ workload: some StoreWork) async throws {
    var workload = workload
    answer([])
    while let name = readLine() {
      guard let seconds = try await workload.seconds(name) else {
        return fail("there is no work `\(name)`")
      }
      answer(["seconds": .number("\(seconds)")])
    }
  }

  private static func answer(_ value: JSONValue) {
    print(value.text)
    fflush(nil)
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
