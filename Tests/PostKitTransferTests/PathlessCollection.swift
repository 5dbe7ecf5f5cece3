// Collections without what only the reader of a folder knows.

@testable import PostKitTransfer

extension ImportedCollection {
  /// The same without the paths of files, which only the reader of a folder knows.
  var withoutPaths: ImportedCollection {
    var collection = self
    collection.requests = requests.map(\.withoutPath)
    collection.folders = folders.map(\.withoutPaths)
    return collection
  }
}

extension ImportedFolder {
  /// The same without the paths of files.
  var withoutPaths: ImportedFolder {
    var folder = self
    folder.requests = requests.map(\.withoutPath)
    folder.folders = folders.map(\.withoutPaths)
    return folder
  }
}

extension ImportedRequest {
  /// The same without the path of its file.
  var withoutPath: ImportedRequest {
    var request = self
    request.path = nil
    return request
  }
}
