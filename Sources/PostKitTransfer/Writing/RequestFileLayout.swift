// Which request lies in which file (IO-6 to IO-8).

import PostKitJSON

/// A request file before its blocks are written.
struct PlannedFile {
  /// The directory below the target, with `/` at its end, or empty.
  var directory: String
  /// The path below the target.
  var path: String
  /// Comments at its head.
  var comments: [String] = []
  var requests: [PlannedRequest] = []
}

/// Lays the requests of a collection into files.
struct RequestFileLayout {
  /// How deep directories lie in each other.
  static let depthLimit = 32

  private(set) var files: [PlannedFile] = []
  /// Scripts of folders, and what says the order and the names of files.
  private(set) var attachments: [TransferFile] = []

  private let layout: WritingLayout
  private let scripts: ScriptPlaces
  private let names: DirectoryNames
  private let variables: WrittenVariables
  private let notes: ImportNotes
  private let standsAlone: Bool
  /// The file of the requests that lie in no folder.
  private var rootFile: String?
  /// Descriptions that wait for the next file.
  private var waiting: [String] = []
  /// What lies in each directory, in order.
  private var manifests: [(directory: String, manifest: FolderManifest, isNamed: Bool)] = []

  /// Lays out a collection under a name.
  init(
    _ root: OriginFolder, name: String, layout: WritingLayout, _ scripts: ScriptPlaces,
    _ names: DirectoryNames, _ variables: WrittenVariables, _ notes: ImportNotes,
    standsAlone: Bool = false
  ) {
    self.layout = layout
    self.scripts = scripts
    self.names = names
    self.variables = variables
    self.notes = notes
    self.standsAlone = standsAlone
    var root = root
    root.name = name
    if layout == .file {
      let stem = names.stem(for: name, in: "", fallback: "requests")
      files = [PlannedFile(directory: "", path: stem + ".http")]
    }
    manifests = [("", FolderManifest(), false)]
    add(root, in: nil, directory: "", depth: 0, manifest: 0)
    for index in files.indices {
      giveNames(to: index)
      giveTitles(to: index)
    }
    for (directory, manifest, isNamed) in manifests {
      addManifest(manifest, isNamed: isNamed, in: directory)
    }
  }

  // MARK: - Folders

  private func tellEmpty(_ frame: FolderFrame) {
    notes.tell(
      .itemMalformed, "The folder has no requests, so nothing of it is written.",
      at: frame.folder.place, origin: frame.path, isWarning: false)
  }

  private mutating func add(
    _ folder: OriginFolder, in parent: FolderFrame?, directory: String, depth: Int, manifest: Int
  ) {
    var folder = folder
    let children = folder.folders
    let requests = folder.requests
    (folder.folders, folder.requests) = ([], [])
    if folder.name.utf8.count > LineText.nameLimit {
      notes.tell(.limit, "The name of a folder is longer than 1 KiB and cut.", at: folder.place)
      folder.name = LineText.cut(folder.name, to: LineText.nameLimit)
    }
    let frame = FolderFrame(folder, in: parent)
    let isRoot = parent == nil
    let isDeep = depth > Self.depthLimit
    if isDeep {
      folder.name = "\(parent?.folder.name ?? "") - \(folder.name)"
      notes.tell(
        .limit, "Folders deeper than \(Self.depthLimit) are joined into the last.",
        at: folder.place, origin: frame.path)
    }
    if parent != nil, requests.isEmpty, !children.contains(where: { $0.requestCount > 0 }) {
      return tellEmpty(frame)
    }
    waiting += description(of: folder)
    // The directory of the folder's file, and that of what lies in the folder.
    var inner = directory
    var stem = ""
    let hasFile = layout == .folder && !requests.isEmpty
    if hasFile || !isRoot && (layout == .folder || layout == .request && !isDeep) {
      stem = names.stem(for: folder.name, in: directory, fallback: "folder")
    }
    if layout != .file, !isRoot, !isDeep { inner = "\(directory)\(stem)/" }
    addScripts(of: folder, to: frame, directory: directory)
    if hasFile {
      files.append(
        PlannedFile(directory: directory, path: "\(directory)\(stem).http", comments: take()))
      if isRoot { rootFile = stem + ".http" }
    }
    var place = manifest
    if inner != directory, !children.isEmpty || layout == .request && !requests.isEmpty {
      place = manifests.count
      let isNamed = folder.name != stem
      manifests[manifest].manifest.folders.append(stem)
      manifests.append((inner, FolderManifest(), isNamed))
      manifests[place].manifest.name = folder.name
    }
    if hasFile { manifests[manifest].manifest.folders.append(stem + ".http") }
    for request in requests { add(request, of: frame, directory: inner, manifest: place) }
    for child in children {
      add(child, in: frame, directory: inner, depth: depth + 1, manifest: place)
    }
  }

  private mutating func add(
    _ request: OriginRequest, of frame: FolderFrame, directory: String, manifest: Int
  ) {
    if request.name.utf8.count > LineText.nameLimit {
      notes.tell(
        .limit, "The name of a request is longer than 1 KiB and cut.", at: request.place)
    }
    var comments: [String] = []
    switch layout {
    case .folder: break
    case .file:
      // At the head of the file stands what is about all of it.
      if files[0].requests.isEmpty, files[0].comments.isEmpty {
        files[0].comments = take()
      } else {
        comments = take()
      }
    case .request:
      var titles = TitleText()
      let title = titles.title(of: request).title
      let name = names.name(for: title, in: directory, ending: ".http", fallback: "request")
      manifests[manifest].manifest.requests.append(name)
      files.append(
        PlannedFile(directory: directory, path: directory + name, comments: take()))
    }
    files[files.count - 1].requests.append(
      PlannedRequest(request, in: frame, comments: comments))
  }

  private mutating func take() -> [String] {
    defer { waiting = [] }
    return waiting
  }

  private func description(of folder: OriginFolder) -> [String] {
    if folder.description.utf8.count > LineText.descriptionLimit {
      notes.tell(
        .descriptionCut, "The description is longer than 4 KiB and cut.", at: folder.place)
    }
    return LineText.comments(LineText.cut(folder.description, to: LineText.descriptionLimit))
  }

  /// Gives each name that others refer to once in a file; the requests of its folder follow.
  private func giveNames(to index: Int) {
    var owners: [String: [FolderFrame]] = [:]
    for planned in files[index].requests {
      guard let name = planned.request.referenceName else { continue }
      let known = owners[name, default: []]
      owners[name] = known + [planned.frame]
      guard !known.isEmpty else { continue }
      var number = 2
      while owners["\(name)_\(number)"] != nil { number += 1 }
      let new = "\(name)_\(number)"
      owners[new] = [planned.frame]
      if !known.contains(where: { $0 === planned.frame }) {
        for other in files[index].requests where other.frame === planned.frame {
          other.request = other.request.renaming([name: new])
        }
      }
      planned.request.referenceName = new
    }
  }

  private func giveTitles(to index: Int) {
    var titles = TitleText()
    for planned in files[index].requests {
      let (title, wanted) = titles.title(of: planned.request)
      planned.title = title
      if title != wanted {
        notes.tell(
          .duplicateTitle, "`\(title)` has a number, because another request has its name.",
          at: planned.request.place, origin: planned.frame.origin(of: planned.request))
      }
    }
  }

  // MARK: - Scripts of folders

  /// Adds what runs for each request of a folder: lines where a table translates it, else files
  /// that each request names.
  private mutating func addScripts(
    of folder: OriginFolder, to frame: FolderFrame, directory: String
  ) {
    for script in folder.scripts where !ScriptPlaces.isEmpty(script) {
      if let statements = scripts.translation(of: script) {
        frame.scripts += scripts.placed(statements, of: script, origin: frame.path, notes)
        continue
      }
      ScriptPlaces.tellKept(script, origin: frame.path, notes)
      let text = TemplateNames.renaming(inScript: script.text, variables.renamed)
      if standsAlone {
        frame.scripts.append(PlacedScript(phase: script.phase, content: .text(text)))
        continue
      }
      let stem = LineText.cut(folder.name, to: 60).replacing(" ", with: "-")
        + (script.phase == .beforeRequest ? ".pre" : ".post")
      let place = directory + "scripts/"
      let name = names.name(
        for: stem, in: place, ending: ".js", fallback: "folder", separator: "-")
      attachments.append(TransferFile(path: place + name, bytes: Array(text.utf8)))
      frame.scripts.append(PlacedScript(phase: script.phase, content: .file(place + name)))
    }
  }

  // MARK: - Order and names

  /// Adds what says the order and the names of the files in a directory, where these don't.
  private mutating func addManifest(
    _ manifest: FolderManifest, isNamed: Bool, in directory: String
  ) {
    var manifest = manifest
    // The origin has no order between the requests of the root and its folders.
    let folders = manifest.folders.filter { !directory.isEmpty || $0 != rootFile }
    let isOrdered = folders == folders.sorted() && manifest.requests == manifest.requests.sorted()
    guard isNamed || !isOrdered else { return }
    if !isNamed { manifest.name = nil }
    attachments.append(
      TransferFile(path: directory + FolderManifest.fileName, bytes: manifest.bytes))
  }
}
