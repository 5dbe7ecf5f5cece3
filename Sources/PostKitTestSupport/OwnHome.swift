// A home for a program that a test starts. One that was told no store would open that of whoever
// runs the tests; here it is found instead.

import PostKitSupport

/// A home of its own for a child process that was given none.
package final class OwnHome: Sendable {
  /// What of an environment leads to the places of a user, with where that is in a home.
  private static let places = [
    "HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
  ]

  private let directory: TemporaryDirectory

  /// Makes an empty home.
  package init() throws { directory = try TemporaryDirectory() }

  /// An environment without the places of whoever runs the tests: what of it is theirs leads here
  /// instead, and the store that they have named is no more. What a test has chosen stays.
  package func replacingPlaces(in environment: [String: String]) -> [String: String] {
    var environment = environment
    for (name, place) in OwnHome.places {
      guard let value = environment[name], value == ProcessEnvironment.value(name) else { continue }
      environment[name] = directory.path(place)
    }
    if environment["POSTKIT_HOME"] == ProcessEnvironment.value("POSTKIT_HOME") {
      environment["POSTKIT_HOME"] = nil
    }
    return environment
  }

  /// The directories that PostKit has made here, relative to it; none if all went well.
  package var strays: [String] {
    let places = OwnHome.places.values + ["Library/Application Support"]
    return places.map { FilePath.join($0, "postkit") }.sorted()
      .filter { FileSystem.exists(directory.path($0)) }
  }
}

/// A program that has used the home of whoever runs the tests.
package struct UsedHome: Error, CustomStringConvertible {
  /// The program.
  package let program: String
  /// What it has made there.
  package let strays: [String]
  /// A sentence for a failed test.
  package var description: String {
    "\(program) was started without a store of the test's own: it made "
      + "\(strays.joined(separator: ", ")) in the home of whoever runs the tests"
  }
}
