// The files that a mock answers from, read from the disk.

import PostKitDescription
import PostKitJSON
import PostKitSupport
package import PostKitSyntax
import PostKitTransfer
import PostKitYAML

/// Reads folders of request files and descriptions as recordings.
package enum MockFiles {
  /// The examples of a request file, or of all below a folder, and what could not be read, as
  /// sentences. `parse` knows how the file at an absolute path is read.
  package static func examples(
    _ path: String, rank: Int, parse: (_ bytes: [UInt8], _ place: String) -> ParsedDocument
  ) throws(MockFailure) -> (recordings: [MockRecording], remarks: [String]) {
    let contents: FolderFiles.Contents
    do throws(FileFailure) { contents = try FolderFiles.read(path) } catch {
      throw MockFailure("\(error)")
    }
    let folder = contents.isOneFile ? FilePath.parent(FileSystem.absolute(path))
      : FileSystem.absolute(path)
    var result: [MockRecording] = []
    var remarks: [String] = []
    for file in contents.files where FolderFiles.isRequestFile(file.path) && !file.bytes.isEmpty {
      let place = FilePath.join(folder, file.path)
      var reader = MockExamples(name: file.path, rank: rank) { name in
        // Outside of the folder nothing is opened; what can't be read is told by its name.
        try? FileSystem.read(
          path: FilePath.join(FilePath.parent(place), name), limit: Limits.sourceFileBytes,
          inside: [folder])
      }
      result += reader.recordings(parse(file.bytes, place))
      remarks += reader.remarks
    }
    return (result, remarks)
  }

  /// The answers of a description in JSON or YAML.
  package static func description(
    _ path: String, rank: Int
  ) throws(MockFailure) -> [MockRecording] {
    let tree = try tree(path)
    let folder = FilePath.parent(FileSystem.absolute(path))
    let documents = DescriptionDocuments(tree, path: FilePath.name(path)) { name in
      let other = FilePath.join(folder, name)
      guard FileSystem.exists(other) else { return .missing }
      // What lies outside of the description's folder, or can't be read, is as not there.
      guard let bytes = try? FileSystem.read(
        path: other, limit: Limits.sourceFileBytes, inside: [folder]),
        let tree = try? YAMLText(parsing: bytes).tree
      else { return .missing }
      return .tree(tree)
    }
    guard let description = APIDescription(documents) else {
      throw MockFailure(
        "\(path) is no OpenAPI description: `openapi` or `swagger` is missing at its top.")
    }
    var reader = MockDescription(description, name: FilePath.name(path), rank: rank)
    return reader.recordings()
  }

  private static func tree(_ path: String) throws(MockFailure) -> JSONTree {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileSystem.read(path: path, limit: Limits.sourceFileBytes)
    } catch {
      throw MockFailure("\(error)")
    }
    // YAML is read where the text is no JSON.
    if let tree = try? JSONTree(parsing: bytes) { return tree }
    do throws(YAMLSyntaxError) { return try YAMLText(parsing: bytes).tree } catch {
      throw MockFailure("\(path) can't be read: \(error)")
    }
  }
}
