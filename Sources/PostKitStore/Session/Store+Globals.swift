// Globals that outlive a process (PK-59): each is a session value, written as JSON.

package import PostKitHTTP
package import PostKitJSON

extension Store {
  /// The globals of a workspace folder and environment, in the order of their names.
  package func globals(of owner: WorkspaceEnvironment) throws(StoreFailure) -> [JSONMember] {
    let values = try sessionValues(
      SessionKey.globals, folder: owner.folder, environment: owner.environment)
    return values.compactMap { name, text in
      // What is no JSON was not written by us, and is no global.
      guard let tree = try? JSONTree(parsing: Array(text.utf8)) else { return nil }
      return JSONMember(name, tree.root.value)
    }
  }

  /// Keeps globals, and forgets those that are named apart.
  package func keep(
    globals: [JSONMember], forgetting names: [String], of owner: WorkspaceEnvironment
  ) throws(StoreFailure) {
    try keep(.globals(globals, forgetting: names, of: owner))
  }
}
