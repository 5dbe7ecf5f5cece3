// Where the requests of a folder for Bruno or OpenCollection lie.

/// The files of a folder for Bruno: which requests lie where, and what they are called.
struct BrunoLayout {
  /// A request at its place.
  struct Place {
    var path: String
    var index: Int
    var position: Int
  }

  /// A folder below the collection.
  struct Folder {
    var path: String
    var name: String
    var position: Int
  }

  private(set) var requests: [Place] = []
  private(set) var folders: [Folder] = []

  /// Lays out the requests of a collection in files with an ending. `taken` are the names that the
  /// format has for itself at the top.
  init(_ collection: ExportedCollection, ending: String, taken: Set<String>) {
    var names: [String: PortableFileNames] = ["": PortableFileNames(taken: taken)]
    var positions: [String: Int] = [:]
    var paths: [[String]: String] = [[]: ""]
    func next(_ path: String) -> Int {
      positions[path, default: 0] += 1
      return positions[path] ?? 1
    }
    for (index, request) in collection.requests.enumerated() where request.omission == nil {
      var parent = ""
      for depth in request.folder.indices {
        let key = Array(request.folder[...depth])
        if let known = paths[key] {
          parent = known
          continue
        }
        let name = names[parent]?.name(
          for: request.folder[depth], extension: "", fallback: "folder")
        let path = parent + (name ?? "folder") + "/"
        folders.append(Folder(path: path, name: request.folder[depth], position: next(parent)))
        names[path] = PortableFileNames(taken: ["folder" + ending])
        paths[key] = path
        parent = path
      }
      let name = names[parent]?.name(for: request.title, extension: ending, fallback: "request")
      requests.append(
        Place(path: parent + (name ?? "request" + ending), index: index, position: next(parent)))
    }
  }
}

extension ExportedCollection {
  /// The environments of a folder for Bruno: each with the secrets that hold everywhere, for which
  /// there is no other place.
  var environmentsWithSecrets: [ExportedEnvironment] {
    let secrets = variables.filter { $0.isUsed && $0.value == nil }
    var result = environments
    if result.isEmpty, !secrets.isEmpty {
      result = [ExportedEnvironment(name: "default", variables: [])]
    }
    for index in result.indices {
      let known = Set(result[index].variables.map(\.name))
      result[index].variables += secrets.filter { !known.contains($0.name) }
    }
    return result
  }
}
