// What scripts can use in the form that editors with TypeScript read (SC-71).

/// The file that describes PostKit's objects to other editors.
package enum ScriptTypes {
  /// The name of the file.
  package static let fileName = "postkit.d.ts"

  /// What the file says.
  package static var text: String { "\(declarations)" }

  /// The line of `jsconfig.json` by which scripts in files see the types.
  package static let settings = #"{"include": ["**/*.js", "postkit.d.ts"]}"#
}
