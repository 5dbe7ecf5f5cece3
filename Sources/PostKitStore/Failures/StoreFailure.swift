// What can go wrong with the store: each sentence says what happened, to which file, and what to
// do.

import CSQLite
package import PostKitHTTP

/// Why the store could not do what was asked. A request is sent and shown all the same.
package enum StoreFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The directory of the store can't be made or used.
  case cannotMakeDirectory(path: String, reason: String)
  /// A file of the store can't be opened.
  case cannotOpen(path: String, reason: String)
  /// The file was written by a PostKit with a newer major version of the format.
  case newerFormat(path: String, version: String)
  /// Another process held the lock for as long as was waited; `nil` where SQLite did the waiting.
  case busy(path: String, milliseconds: Int?)
  /// The disk or the quota is full.
  case diskFull(path: String)
  /// The file or its directory may not be written.
  case readOnly(path: String)
  /// The file is damaged; it is set aside at the next write.
  case damaged(path: String, detail: String)
  /// The index of words is damaged; it is made anew from the exchanges.
  case damagedIndex(path: String)
  /// A body can't be read or written as a file.
  case body(path: String, reason: String)
  /// More than one entry has an id that begins like this.
  case ambiguousID(path: String, prefix: String)
  /// The rows are gone, but others were reading, so that their bytes may still be in the log.
  case notErasedYet(path: String)
  /// The collections can't be changed as asked.
  case collection(CollectionRefusal)
  /// A secret can't be kept, read or deleted.
  case secret(SecretFailure)
  /// The collections can't be used; why was told when the store was opened.
  case noCollections(path: String)
  /// Nothing was changed, because the store is no longer as the caller knew it.
  case changedMeanwhile(path: String)
  /// Nothing was marked, because somebody has written another text meanwhile; empty for none.
  case markChanged(path: String, to: String)
  /// Nothing was forgotten, because copies that were shown can't be removed.
  case viewsRemain(path: String, reason: String)
  /// The store was closed already.
  case closed(path: String)
  /// Anything else that SQLite reports.
  case database(path: String, action: String, detail: String)

  package var description: String { message }

  /// Whether it may be about one of several exchanges, so that the others can be recorded. Any
  /// other failure would only be met again, and waited for once more.
  var isOfOneExchange: Bool {
    switch self {
    case .body, .database: true
    default: false
    }
  }

  /// One or two sentences for a person in an editor.
  package var message: String { message(on: .editor) }

  /// One or two sentences for a person, with remedies in the words of a surface.
  package func message(on surface: Surface) -> String {
    switch self {
    case .cannotMakeDirectory(let path, let reason):
      "The directory \(path) for PostKit's history can't be created (\(reason)). Choose another "
        + "place \(surface.namingStore); requests are sent without being recorded."
    case .cannotOpen(let path, let reason):
      "PostKit's file \(path) can't be opened (\(reason)). Check its permissions, or choose "
        + "another place \(surface.namingStore); requests are sent without being recorded."
    case .newerFormat(let path, let version):
      "A newer PostKit wrote \(path) (format \(version)); it is unchanged. Update "
        + "this PostKit; until then requests are sent without being recorded."
    case .busy(let path, let milliseconds):
      "Another PostKit has held \(path)\(StoreFailure.time(milliseconds)). Look for one that is "
        + "stopped, then try again."
    case .diskFull(let path):
      "No space left to write \(path). Free some on that disk, or choose another place "
        + "\(surface.namingStore)."
    case .readOnly(let path):
      "You may not write \(path). Change the permissions of the file and its "
        + "directory, or choose another place \(surface.namingStore)."
    case .damaged(let path, let detail):
      "The file \(path) is damaged (\(detail)). When PostKit records the next request, it sets "
        + "the file aside and begins a new one."
    case .damagedIndex(let path):
      "The search index in \(path) is damaged; PostKit rebuilds it from the history. Search again "
        + "in a moment."
    case .body(let path, let reason):
      "The body in the file \(path) can't be kept or read (\(reason)). Check the space and the "
        + "permissions of its directory."
    case .ambiguousID(let path, let prefix):
      "Several entries of the history in \(path) have an id that begins with \(prefix). Give more "
        + "of its letters; 'postkit history --json' shows them all."
    case .notErasedYet(let path):
      "The entries are deleted, but another PostKit is reading \(path), so that their bytes may "
        + "still be in its log. Close the other one and run the command again."
    case .collection(let refusal): refusal.message
    case .secret(let failure): failure.message
    case .noCollections(let path):
      "The collections in \(path) can't be used now. Run 'postkit doctor' to see what is wrong."
    case .changedMeanwhile(let path):
      "The file \(path) has changed since it was read, and nothing was edited. Read it again, then "
        + "repeat the change."
    case .markChanged(let path, let text):
      "Somebody has \(text.isEmpty ? "removed the text" : "changed the text to `\(text)`") in "
        + "\(path) meanwhile, and nothing was changed. Edit it again."
    case .viewsRemain(let path, let reason):
      "The responses that were shown can't be removed from \(path) (\(reason)), and nothing was "
        + "forgotten. Check the permissions of the directory and run the command again."
    case .closed(let path): "The store at \(path) is closed. Open it again."
    case .database(let path, let action, let detail):
      "PostKit could not \(action) in \(path) (\(detail)). Run 'postkit doctor' to see what is "
        + "wrong."
    }
  }

  /// What is told where exchanges wait because of this failure; `nil` where they don't.
  package var waitingNotice: StoreNotice? {
    guard case .busy(let path, let milliseconds) = self else { return nil }
    return StoreNotice(
      kind: .exchangesWait,
      message: "Another PostKit has held \(path)\(StoreFailure.time(milliseconds)), so what was "
        + "sent is not in the history yet. The next PostKit that can write there adds it. Look "
        + "for one that is stopped.")
  }

  /// A time in a sentence, to a tenth of a second.
  private static func time(_ milliseconds: Int?) -> String {
    guard let milliseconds else { return " for a while" }
    let tenths = (milliseconds + 50) / 100
    return tenths % 10 == 0 && tenths > 0
      ? " for \(tenths / 10) second\(tenths == 10 ? "" : "s")"
      : " for \(tenths / 10).\(tenths % 10) seconds"
  }

  /// The failure for what SQLite reported; chosen by code, never by message text.
  static func make(_ error: SQLiteError, path: String, action: String) -> StoreFailure {
    if error.code == SQLiteError.damagedIndexCode { return .damagedIndex(path: path) }
    return switch error.primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy(path: path, milliseconds: nil)
    case SQLITE_FULL: .diskFull(path: path)
    case SQLITE_READONLY: .readOnly(path: path)
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged(path: path, detail: error.message)
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen(path: path, reason: error.message)
    default: .database(path: path, action: action, detail: error.message)
    }
  }
}

extension SQLiteError {
  /// Whether the statement or its values are the reason, so that no other attempt helps; anything
  /// else lies in the disk, the memory or other processes.
  var isAboutValues: Bool {
    [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE]
      .contains(primaryCode)
  }
}

/// Something that the person at the keyboard should be told once.
package struct StoreNotice: Sendable, Hashable {
  /// What kind of thing happened.
  package enum Kind: Sendable, Hashable {
    /// A damaged or foreign file was set aside and a new one was made.
    case setAside(path: String, keptAs: String)
    /// A part of a file that is derived from the rest was damaged and is made anew.
    case mended(path: String)
    /// A file was brought to a newer format by code; the file as it was is kept.
    case copyKept(path: String, keptAs: String)
    /// The collections can't be used; the history can.
    case collectionsUnavailable
    /// The file system can't share memory between processes, so that a slower journal is used.
    case slowJournal(fileSystem: String)
    /// Other users can change what is in the directory.
    case openDirectory(path: String)
    /// Exchanges wait in files because another process holds the lock.
    case exchangesWait
    /// A body could not be kept; its exchange was recorded without it.
    case bodyNotKept
    /// A search did not find all that there is.
    case searchIsPartial
    /// Copies of the history were kept earlier and still hold what was forgotten.
    case copiesRemain
  }

  package var kind: Kind

  /// Whether a file was damaged, or a part of it.
  var isOfDamage: Bool {
    switch kind {
    case .setAside, .mended: true
    default: false
    }
  }

  /// One or two sentences for a person.
  package var message: String

  /// Makes a notice.
  package init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}
