// The functions of an exported k6 script.

/// What a k6 script may call.
enum K6Helpers {
  /// The language's words, and what the script calls.
  static let taken: Set<String> = [
    "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "enum", "export", "extends", "false", "finally", "for", "function", "if", "import",
    "in", "instanceof", "let", "new", "null", "return", "static", "super", "switch", "this",
    "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield", "await", "async",
    "arguments", "eval", "undefined", "http", "check", "fail", "sleep", "options", "setup", "data",
    "text", "member", "setting", "environment", "legal", "basic", "bytes", "uuid", "letters",
    "decoded", "needed", "header", "literal", "same", "number", "truthy", "contains", "digest",
    "written", "encoding", "crypto", "kept", "pick", "response",
  ]

  /// All of them, each after those that it calls. k6 has no `URL`, no `Buffer` and no files after
  /// the start of the script.
  static let table: [CodeHelpers.Helper] = [
    .init(
      name: "setting", imports: ["import { fail } from \"k6\";"],
      text: #"""
        // A variable: POSTKIT_NAME of the process stands above the exported value.
        function setting(name, value, reason = "nothing in the export gives its value") {
          const word = name.toUpperCase().replace(/[^A-Z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
          const key = `POSTKIT_${word}`;
          const found = __ENV[key] ?? value;
          if (found === undefined) fail(`Set ${key}: ${reason}.`);
          return found;
        }
        """#),
    .init(
      name: "environment", imports: ["import { fail } from \"k6\";"],
      text: #"""
        // A variable of the process, which the requests name themselves.
        function environment(name) {
          if (__ENV[name] === undefined) fail(`Set ${name}: a request reads it.`);
          return __ENV[name];
        }
        """#),
    .init(
      name: "legal",
      text: #"""
        // A text as a part of a URL or a form: what may not stand there is encoded.
        function legal(value) {
          return encodeURI(value).replace(/%25/g, "%").replace(/%5B/g, "[").replace(/%5D/g, "]");
        }
        """#),
    .init(
      name: "basic", imports: ["import encoding from \"k6/encoding\";"],
      text: #"""
        // The Authorization header of a user.
        function basic(user, password) {
          return "Basic " + encoding.b64encode(`${user}:${password}`);
        }
        """#),
    .init(
      name: "bytes",
      text: #"""
        // Texts in UTF-8 and files, put together.
        function bytes(...parts) {
          const all = [];
          for (const part of parts) {
            if (typeof part !== "string") {
              for (const byte of new Uint8Array(part)) all.push(byte);
              continue;
            }
            for (const letter of unescape(encodeURIComponent(part))) all.push(letter.charCodeAt(0));
          }
          return new Uint8Array(all).buffer;
        }
        """#),
    .init(
      name: "uuid",
      text: #"""
        function uuid() {
          const below = (limit) => Math.floor(Math.random() * limit);
          return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (mark) =>
            (mark === "x" ? below(16) : 8 + below(4)).toString(16));
        }
        """#),
    .init(
      name: "letters",
      text: #"""
        function letters(alphabet, count) {
          let text = "";
          while (text.length < count) text += alphabet[Math.floor(Math.random() * alphabet.length)];
          return text;
        }
        """#),
    .init(
      name: "decoded",
      text: #"""
        // A number as its digits: JSON.parse would round an id above 2^53.
        class Digits {
          constructor(text) { this.text = text; }
          toString() { return this.text; }
        }

        // The value of JSON with all digits of its numbers; undefined where it is none.
        function decoded(text) {
          const mark = "\u0000";
          const parts = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
          const marked = (text ?? "").replace(parts, (found) =>
            found[0] === '"' ? found : JSON.stringify(mark + found));
          try {
            return JSON.parse(marked, (name, value) =>
              typeof value === "string" && value[0] === mark ? new Digits(value.slice(1)) : value);
          } catch {
            return undefined;
          }
        }
        """#),
    .init(
      name: "member", needs: ["decoded"],
      text: #"""
        // What a path of names and places selects; undefined where there is nothing.
        function member(value, ...path) {
          for (const step of path) {
            const isOpen = value && typeof value === "object" && !(value instanceof Digits);
            value = isOpen && Object.hasOwn(value, step) ? value[step] : undefined;
          }
          return value;
        }
        """#),
    .init(
      name: "text", needs: ["decoded"],
      text: #"""
        // The text that a value stands for: a string as it is, the rest as JSON.
        function text(value) {
          if (typeof value === "string") return value;
          if (value === undefined) return "";
          if (value instanceof Digits) return value.text;
          if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
          if (value === null || typeof value !== "object") return String(value);
          const pairs = Object.entries(value);
          return `{${pairs.map(([name, one]) => `${written(name)}:${written(one)}`).join(",")}}`;
        }

        function written(value) {
          return typeof value === "string" ? JSON.stringify(value) : text(value);
        }
        """#),
    .init(
      name: "needed", needs: ["text"],
      text: #"""
        // The text of a value that a request is made of.
        function needed(value, name) {
          if (value === undefined) throw new Error(`the response has no ${name}`);
          return text(value);
        }
        """#),
    .init(
      name: "header",
      text: #"""
        // The value of a header, whatever case its name is in.
        function header(headers, name) {
          const isMeant = (key) => key.toLowerCase() === name.toLowerCase();
          const found = Object.keys(headers ?? {}).find(isMeant);
          return found === undefined ? undefined : headers[found];
        }
        """#),
    .init(
      name: "literal", needs: ["decoded"],
      text: #"""
        // The value of JSON or of a text in single quotes.
        function literal(written) {
          return /^'[^']*'$/.test(written) ? written.slice(1, -1) : decoded(written);
        }
        """#),
    .init(
      name: "same", needs: ["literal", "text"],
      text: #"""
        // Whether a value is what was expected, which takes the type of the value.
        function same(value, expected) {
          if (value === undefined) return expected === "undefined";
          if (text(value) === expected) return true;
          if (typeof value === "boolean") return expected.toLowerCase() === text(value);
          let wanted = literal(expected);
          if (value instanceof Digits && typeof wanted === "string") wanted = literal(wanted);
          if (typeof value === "string" || typeof wanted === "string") return value === wanted;
          const isNumber = value instanceof Digits && wanted instanceof Digits;
          if (isNumber) return Number(value) === Number(wanted);
          return wanted !== undefined && text(value) === text(wanted);
        }
        """#),
    .init(
      name: "numbers", needs: ["literal"],
      text: #"""
        // Both sides of a comparison as numbers; NaN, which nothing is compared with, for others.
        function number(value) {
          const found = typeof value === "string" ? literal(value) : value;
          return typeof found === "number" ? found : found instanceof Digits ? Number(found) : NaN;
        }
        """#),
    .init(
      name: "truthy", needs: ["decoded"],
      text: #"""
        // Whether there is a value that is neither false, null, 0 nor empty.
        function truthy(value) {
          return value instanceof Digits ? Number(value) !== 0 : Boolean(value);
        }
        """#),
    .init(
      name: "contains", needs: ["same", "text"],
      text: #"""
        // Whether a text is part of a value's, or equal to one of its elements.
        function contains(value, expected) {
          return text(value).includes(expected)
            || (Array.isArray(value) && value.some((one) => same(one, expected)));
        }
        """#),
    .init(
      name: "digest", needs: ["text"], imports: ["import crypto from \"k6/crypto\";"],
      text: #"""
        // The digest of a value's text in Base64.
        function digest(kind, value) {
          return crypto[kind](text(value), "base64");
        }
        """#),
  ]
}
