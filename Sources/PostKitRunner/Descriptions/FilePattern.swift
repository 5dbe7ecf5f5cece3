// Files that a pattern such as `specs/**/*.yaml` names, within bounds.

import PostKitSupport

/// A path that may have `*`, `?` and `**` in it.
struct FilePattern {
  /// The folder that all of its files are in, and the steps below it.
  private let folder: String
  private let steps: [Substring]

  /// How many names are looked at.
  private static let nameLimit = 10_000
  /// How deep `**` goes.
  private static let depthLimit = 16

  /// Reads an absolute pattern.
  init(_ path: String) {
    let steps = path.split(separator: "/")
    let fixed = steps.prefix { !Self.isOpen($0) }
    folder = "/" + fixed.joined(separator: "/")
    self.steps = Array(steps.dropFirst(fixed.count))
  }

  /// Whether a step may mean several names.
  private static func isOpen(_ step: Substring) -> Bool { step.contains("*") || step.contains("?") }

  /// The regular files that it names, at most `limit`, in the order of their names. `mayList` says
  /// whether a folder may be looked into.
  func files(limit: Int, mayList: (String) -> Bool) -> [String] {
    var found: [String] = []
    var names = 0
    func walk(_ path: String, _ steps: ArraySlice<Substring>, depth: Int) {
      guard found.count < limit, names < Self.nameLimit else { return }
      guard let step = steps.first else {
        if FileSystem.isRegularFile(path), !found.contains(path) { found.append(path) }
        return
      }
      let rest = steps.dropFirst()
      guard Self.isOpen(step) else {
        return walk(FilePath.join(path, String(step)), rest, depth: depth)
      }
      guard FileSystem.isDirectory(path), mayList(path) else { return }
      if step == "**" { walk(path, rest, depth: depth) }
      // A folder that can't be listed has no files to offer.
      for name in (try? FileSystem.list(path)) ?? [] {
        names += 1
        if names > Self.nameLimit { return }
        let inner = FilePath.join(path, name)
        if step == "**" {
          let isSkipped = name.hasPrefix(".") || name == "node_modules" || FileSystem.isLink(inner)
          if !isSkipped, depth < Self.depthLimit, FileSystem.isDirectory(inner) {
            walk(inner, steps, depth: depth + 1)
          }
        } else if Self.fits(Array(name.utf8)[...], Array(step.utf8)[...]) {
          walk(inner, rest, depth: depth)
        }
      }
    }
    walk(folder, steps[...], depth: 0)
    return found
  }

  /// Whether a name is what a step stands for.
  static func fits(_ name: ArraySlice<UInt8>, _ step: ArraySlice<UInt8>) -> Bool {
    var (name, step) = (name, step)
    // Where the last star stands, and what it stands for so far, to go on with one byte more.
    var retry: (name: ArraySlice<UInt8>, step: ArraySlice<UInt8>)?
    while let byte = name.first {
      if step.first == UInt8(ascii: "*") {
        step = step.dropFirst()
        retry = (name, step)
      } else if let wanted = step.first, wanted == byte || wanted == UInt8(ascii: "?") {
        name = name.dropFirst()
        step = step.dropFirst()
      } else if let last = retry {
        name = last.name.dropFirst()
        step = last.step
        retry = (name, step)
      } else {
        return false
      }
    }
    return step.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
