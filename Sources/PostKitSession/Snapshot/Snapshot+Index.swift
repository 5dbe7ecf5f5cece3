// Questions to the index of names.

import PostKitEvaluate
package import PostKitLanguage
import PostKitRunner
import PostKitSupport

extension Snapshot {
  /// The names of everything that belongs to the workspace. What is to be changed is compared with
  /// the disk first, whether or not a change of it was heard of; it is the whole of it in any case,
  /// else a part where nobody waits for the answer any more.
  package func project(isForChange: Bool = false) async -> ProjectIndex {
    let project = await index.project(await question, isForChange: isForChange)
    if let gap = project.gap { tellOnce(gap) }
    return project
  }

  /// The paths of the request files on disk, in order.
  package func requestFiles() async -> [String] { await index.requestFiles(await question) }

  /// The names of one open document.
  package func names(of document: OpenDocument) async -> FileNames {
    await index.names(of: document, await question)
  }

  private var question: WorkspaceQuestion {
    get async {
      let roots = folders.compactMap(\.uri.path).map(FilePath.normalise)
      let trust = await folderTrust
      return WorkspaceQuestion(
        roots: roots, trust: trust, documents: documents,
        isWatched: client.profile.registersWatchedFiles, isOurs: { shown($0) != nil },
        readings: {
          var readings: [String: FileReading] = [:]
          for root in roots {
            var workspace = workspace(of: DocumentURI(path: FilePath.join(root, "untitled.http")))
            // Who reads a document of the folder is told of it.
            workspace.outsideRefusal =
              trust.covers(root, of: [root]) ? nil : "it lies outside of \(root)"
            readings[root] = settings(of: workspace, tellsRefusal: false).settings.reading()
          }
          return readings
        })
    }
  }

  /// The stored requests as symbols; none for a client that could not open their documents.
  package func storedSymbols() async -> [StoredSymbols.Item] {
    client.profile.readsContentDocuments ? await store.storedSymbols() : []
  }

  /// The names in stored requests; none for a client that could not open their documents.
  package func storedNames() async -> [StoredNames.Item] {
    client.profile.readsContentDocuments ? await store.storedNames() : []
  }
}
