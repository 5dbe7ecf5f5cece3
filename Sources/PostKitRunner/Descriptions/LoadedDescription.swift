// A description of an API, read from files, with the places of all that stands in them.

package import PostKitDescription
import PostKitEvaluate
import PostKitSupport
import PostKitYAML
import Synchronization

/// Why a description is none that can be used.
package struct DescriptionFailure: Error, Sendable, Hashable {
  /// The path or URL.
  package let path: String
  /// A sentence that says what is wrong and what to do.
  package let message: String

  /// What people call the description, without credentials of a URL.
  package var name: String { FilePath.name(URLCredentials.without(path)) }

  /// Makes a failure.
  package init(path: String, message: String) { (self.path, self.message) = (path, message) }
}

/// Where something of a description stands.
package struct DescriptionPlace: Sendable, Hashable {
  /// The absolute path of the file.
  package let path: String
  /// The byte, counted from the start of the file, a byte order mark included.
  package let offset: Int
  /// The line, counted from 0.
  package let line: Int
}

/// A description that was read.
package struct LoadedDescription: Sendable {
  /// The absolute path, or the URL of one that was fetched before.
  package let path: String
  /// What it says.
  package let index: DescriptionIndex
  /// What tells this reading from every other one of the process.
  let number = LoadedDescription.count.add(1, ordering: .relaxed).newValue
  /// The files that it was read from, with what they were then.
  package let files: ReadFiles
  private let texts: [YAMLText]
  private let paths: [String]

  private static let count = Atomic<Int>(0)

  /// What people call it: the file's name. That of a URL has no credentials.
  package var name: String { FilePath.name(URLCredentials.without(path)) }

  /// Where a value of the description, or the name of a member, stands.
  package func place(of value: DescribedValue) -> DescriptionPlace {
    let place = texts[value.document].place(of: value.view)
    return DescriptionPlace(
      path: paths[value.document], offset: place.offset, line: place.line)
  }
}

extension LoadedDescription {
  /// Reads a description with the files that its references name, of which only those below the
  /// root are opened. `stored` has what was fetched from a URL.
  package init(
    _ path: String, in workspace: Workspace, stored: (_ url: String) -> [UInt8]? = { _ in nil }
  ) throws(DescriptionFailure) {
    let isRemote = path.hasPrefix("https://") || path.hasPrefix("http://")
    // Before the file is read, so that it is never newer than what was read.
    var files = ReadFiles(isRemote ? [] : [path], in: workspace)
    let bytes: [UInt8]
    let shown = URLCredentials.without(path)
    if isRemote {
      guard let content = stored(path) else {
        throw DescriptionFailure(
          path: path,
          message: shown == path
            ? "\(path) was not fetched yet. Run `postkit describe --fetch \(path)`."
            : "\(shown) was not fetched yet. Run `postkit describe --fetch` with its whole URL.")
      }
      bytes = content
    } else {
      bytes = try Self.bytes(path, workspace)
    }
    let text = try Self.text(bytes, path)
    var texts = [text]
    var paths = [path]
    let folder = FilePath.parent(path)
    let roots = workspace.holds(path) ? [workspace.root] : [folder]
    let documents = DescriptionDocuments(text.tree, path: FilePath.name(path)) { name in
      if isRemote { return .missing }
      let other = FilePath.normalise(FilePath.join(folder, name))
      files.add(other, in: workspace)
      guard FileSystem.exists(other) || workspace.openFile(other) != nil else { return .missing }
      guard let real = FileSystem.resolved(other),
        roots.contains(where: { FilePath.isInside(real, directory: FileSystem.realPath($0) ?? $0) })
      else { return .outside }
      do throws(DescriptionFailure) {
        let text = try Self.text(try Self.bytes(other, workspace), other)
        texts.append(text)
        paths.append(other)
        return .tree(text.tree)
      } catch {
        return .unreadable(error.message)
      }
    }
    guard let description = APIDescription(documents) else {
      throw DescriptionFailure(
        path: path,
        message: "\(shown) is no description that PostKit reads: at its top there is neither "
          + "`openapi` 3.0, 3.1 or 3.2 nor `swagger` 2.0.")
    }
    (self.path, self.files, self.texts, self.paths) = (path, files, texts, paths)
    index = DescriptionIndex(description)
  }

  private static func bytes(
    _ path: String, _ workspace: Workspace
  ) throws(DescriptionFailure) -> [UInt8] {
    switch workspace.content(path) {
    case .bytes(let bytes): return bytes
    case .missing: throw DescriptionFailure(path: path, message: "There is no file \(path).")
    case .unreadable(let why):
      throw DescriptionFailure(path: path, message: "\(path) can't be read: \(why)")
    case .outside(let why):
      throw DescriptionFailure(path: path, message: "PostKit does not read \(path): \(why).")
    }
  }

  private static func text(
    _ bytes: [UInt8], _ path: String
  ) throws(DescriptionFailure) -> YAMLText {
    do throws(YAMLSyntaxError) { return try YAMLText(parsing: bytes) } catch {
      throw DescriptionFailure(
        path: path, message: "\(URLCredentials.without(path)) can't be read: \(error)")
    }
  }
}
