// Every failure of the store as a person reads it: what happened, to which file, what to do next.

import PostKitHTTP
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct StoreFailureTests {
  private static let path = "/p/history.sqlite"

  /// Each case, those with two sentences twice.
  private static let all: [StoreFailure] = [
    .cannotMakeDirectory(path: "/p", reason: "Permission denied"),
    .cannotOpen(path: path, reason: "unable to open database file"),
    .newerFormat(path: path, version: "2.0"), .busy(path: path, milliseconds: 5_000),
    .busy(path: path, milliseconds: nil), .diskFull(path: path), .readOnly(path: path),
    .damaged(path: path, detail: "database disk image is malformed"), .damagedIndex(path: path),
    .body(path: "/p/bodies/ab", reason: "Input/output error"),
    .ambiguousID(path: path, prefix: "0190aaaa"), .notErasedYet(path: path),
    .collection(.stale), .secret(.held(path: "/p/secrets.lock")),
    .noCollections(path: "/p/collections.sqlite"), .changedMeanwhile(path: path),
    .markChanged(path: path, to: "theirs"), .markChanged(path: path, to: ""),
    .viewsRemain(path: "/p/view", reason: "Permission denied"), .closed(path: path),
    .database(path: path, action: "record an exchange", detail: "out of memory"),
  ]

  /// A number for each case: who adds one comes here, and to the list above.
  private static func number(_ failure: StoreFailure) -> Int {
    switch failure {
    case .cannotMakeDirectory: 0
    case .cannotOpen: 1
    case .newerFormat: 2
    case .busy: 3
    case .diskFull: 4
    case .readOnly: 5
    case .damaged: 6
    case .damagedIndex: 7
    case .body: 8
    case .ambiguousID: 9
    case .notErasedYet: 10
    case .collection: 11
    case .secret: 12
    case .noCollections: 13
    case .changedMeanwhile: 14
    case .markChanged: 15
    case .viewsRemain: 16
    case .closed: 17
    case .database: 18
    }
  }

  /// What can follow: what somebody does, or what PostKit does by itself.
  private static let remedies: Set = [
    "Change", "Check", "Choose", "Close", "Edit", "Free", "Give", "Look", "Open", "Read", "Run",
    "Search", "Update", "When",
  ]

  @Test func `each failure says what happened, to which file, and what to do`() {
    #expect(Set(Self.all.map(Self.number)) == Set(0...18), "a case is not in the list")
    for failure in Self.all {
      for surface in [Surface.editor, .commandLine] {
        let message = failure.message(on: surface)
        // The collections are a file to nobody who edits them; what is refused is none's fault.
        if case .collection = failure {
          #expect(message.contains("The collections have changed"))
        } else {
          #expect(message.contains("/p"), "no file: \(message)")
        }
        let ends = message.ranges(of: #/[.;] /#)
        let follows = ends.map { String(message[$0.upperBound...].prefix { $0.isLetter }) }
        #expect(!Self.remedies.isDisjoint(with: follows), "nothing to do: \(message)")
        #expect(message.hasSuffix(".") && message.first?.isUppercase == true, "\(message)")
      }
    }
  }

  @Test func `the sentences are these`() {
    expect(
      Self.all.map(\.message).joined(separator: "\n"),
      is: """
      The directory /p for PostKit's history can't be created (Permission denied). Choose another place in POSTKIT_HOME; requests are sent without being recorded.
      PostKit's file /p/history.sqlite can't be opened (unable to open database file). Check its permissions, or choose another place in POSTKIT_HOME; requests are sent without being recorded.
      A newer PostKit wrote /p/history.sqlite (format 2.0); it is unchanged. Update this PostKit; until then requests are sent without being recorded.
      Another PostKit has held /p/history.sqlite for 5 seconds. Look for one that is stopped, then try again.
      Another PostKit has held /p/history.sqlite for a while. Look for one that is stopped, then try again.
      No space left to write /p/history.sqlite. Free some on that disk, or choose another place in POSTKIT_HOME.
      You may not write /p/history.sqlite. Change the permissions of the file and its directory, or choose another place in POSTKIT_HOME.
      The file /p/history.sqlite is damaged (database disk image is malformed). When PostKit records the next request, it sets the file aside and begins a new one.
      The search index in /p/history.sqlite is damaged; PostKit rebuilds it from the history. Search again in a moment.
      The body in the file /p/bodies/ab can't be kept or read (Input/output error). Check the space and the permissions of its directory.
      Several entries of the history in /p/history.sqlite have an id that begins with 0190aaaa. Give more of its letters; 'postkit history --json' shows them all.
      The entries are deleted, but another PostKit is reading /p/history.sqlite, so that their bytes may still be in its log. Close the other one and run the command again.
      The collections have changed since they were read. Read them again, then repeat the change.
      Another PostKit is changing a secret variable and holds /p/secrets.lock. Look whether its keyring asks for a password, or whether it is stopped. Then try again.
      The collections in /p/collections.sqlite can't be used now. Run 'postkit doctor' to see what is wrong.
      The file /p/history.sqlite has changed since it was read, and nothing was edited. Read it again, then repeat the change.
      Somebody has changed the text to `theirs` in /p/history.sqlite meanwhile, and nothing was changed. Edit it again.
      Somebody has removed the text in /p/history.sqlite meanwhile, and nothing was changed. Edit it again.
      The responses that were shown can't be removed from /p/view (Permission denied), and nothing was forgotten. Check the permissions of the directory and run the command again.
      The store at /p/history.sqlite is closed. Open it again.
      PostKit could not record an exchange in /p/history.sqlite (out of memory). Run 'postkit doctor' to see what is wrong.
      """)
    let place = StoreFailure.diskFull(path: Self.path).message(on: .commandLine)
    #expect(place.hasSuffix("or choose another place with --store or POSTKIT_HOME."))
  }
}
