'use strict';
// What the response panel shows, asked of the server: the record of an exchange, its bodies as far
// as a person reads them, and what the same request returned before. Knows nothing of VS Code.

const PIECE_BYTES = 1 << 20;
const TEXT_BYTES = 256 << 10;
const SENT_BYTES = 64 << 10;
const IMAGE_BYTES = 8 << 20;
const COPY_BYTES = 32 << 20;
const HISTORY_LIMIT = 50;

/** The pictures that a page can show from within itself. */
const IMAGES = new Set(['image/avif', 'image/bmp', 'image/gif', 'image/jpeg', 'image/png',
  'image/svg+xml', 'image/vnd.microsoft.icon', 'image/webp', 'image/x-icon']);

/** The media type without its parameters. @param {[string, string][]} headers */
function mediaType(headers) {
  const found = headers.find(([name]) => name.toLowerCase() === 'content-type');
  return found?.[1].split(';')[0].trim().toLowerCase() ?? '';
}

/** `html`, `image` or `text`: what the body of an exchange is to a person. */
function bodyKind(record) {
  const type = mediaType(record.response?.headers ?? []);
  if (IMAGES.has(type)) return 'image';
  return type === 'text/html' || type === 'application/xhtml+xml' ? 'html' : 'text';
}

/** A name for a file with the body: what the address ends with, else what the body is. */
function fileName({ url, response }) {
  const last = url.split(/[?#]/)[0].split('/').slice(3).findLast(Boolean) ?? '';
  const name = last.replace(/%[0-9a-f]{2}|[^\w.-]/gi, '_').replace(/^\.+/, '') || 'response';
  if (/\.\w+$/.test(name)) return name;
  const [, kind] = /\/([a-z0-9]{2,5})(?:\+\w+)?$/.exec(mediaType(response?.headers ?? [])) ?? [];
  return kind ? `${name}.${kind === 'plain' ? 'txt' : kind}` : name;
}

/** Reads exchanges for the panel. */
class Source {
  #client;

  /** @param {{request: (method: string, params: object) => Promise<any>}} client */
  constructor(client) { this.#client = client; }

  /** All that is known of an exchange but its bodies. @param {string} id */
  async record(id) {
    const { bytes, words } = await this.#read({ id, view: 'record' }, Infinity);
    return { ...JSON.parse(bytes.toString('utf8')), ...words };
  }

  /** What the page shows of an exchange. @param {object} record of it */
  async values(record) {
    const [preview, raw, sent, history] = await Promise.all([this.#preview(record),
      this.#raw(record.id, 'response', TEXT_BYTES), this.#raw(record.id, 'request', SENT_BYTES),
      this.#history(record)]);
    return { record, preview, raw, sent, history };
  }

  /** What a JSONPath or XPath selects of the body. @param {object} record @param {string} path */
  async selection({ id }, path) {
    const { bytes, eof } = await this.#read({ id, select: path }, TEXT_BYTES);
    return bytes.toString('utf8') + (eof ? '' : '\n…');
  }

  /**
   * The whole body of a response as text. @param {string} id
   * @throws {Error} where it is no text, or longer than anybody pastes
   */
  async text(id) {
    const { text, total, size, eof } = await this.#raw(id, 'response', COPY_BYTES);
    if (!eof) throw new Error('The body is too long for the clipboard. Save it to a file.');
    if (text === null) throw new Error('The body is not UTF-8 text. Save it to a file.');
    return { text, total, size };
  }

  /**
   * The pages of a long JSON body, none of any other.
   * @param {string} id
   * @returns {Promise<{number: number, path: string | null}[]>} with the path each begins at
   */
  async pages(id) {
    const { bytes } = await this.#read({ id, view: 'pages' }, Infinity);
    return JSON.parse(bytes.toString('utf8'));
  }

  async #preview(record) {
    if (!record.response) {
      return { kind: 'none', reason: record.message ?? 'No response.' };
    }
    const kind = bodyKind(record);
    if (kind === 'image') return this.#image(record);
    const { bytes, total, size, eof } = await this.#read(
      { id: record.id, view: 'pretty' }, TEXT_BYTES);
    if (total === 0) return { kind: 'none', reason: 'The body is empty.' };
    return { kind, text: bytes.toString('utf8'), total, size, eof };
  }

  async #image(record) {
    const contentType = mediaType(record.response.headers);
    if (record.size > IMAGE_BYTES) {
      return { kind: 'none', reason: `The picture has ${record.size} bytes; the limit is `
        + `${IMAGE_BYTES}. "Save Body" writes it to a file.` };
    }
    const { bytes, total, size } = await this.#read(
      { id: record.id, view: 'raw' }, IMAGE_BYTES);
    if (total === 0) return { kind: 'none', reason: 'The body is empty.' };
    return { kind: 'image', contentType, base64: bytes.toString('base64'), total, size };
  }

  /** A body as it went over the wire, not laid out. */
  async #raw(id, part, limit) {
    const { bytes, total, size, eof } = await this.#read({ id, part, view: 'raw' }, limit);
    return { text: textOf(bytes), total, size, eof };
  }

  /** The exchanges of the same request, newest first. */
  async #history({ file, name, method, url }) {
    const uri = file.includes('://') || file.startsWith('postkit:') ? file : fileUri(file);
    const { items } = await this.#client.request('postkit/history', {
      uri, method, limit: HISTORY_LIMIT, ...name ? { request: name } : {},
    });
    return name ? items : items.filter(item => !item.name && item.url === url);
  }

  /** Reads a part piece by piece, at most so many bytes. */
  async #read(params, limit) {
    const pieces = [];
    let offset = 0;
    for (;;) {
      const piece = await this.#client.request('postkit/exchange',
        { ...params, offset, length: Math.min(PIECE_BYTES, limit - offset) });
      const bytes = Buffer.from(piece.data, piece.encoding === 'base64' ? 'base64' : 'utf8');
      pieces.push(bytes);
      offset += bytes.length;
      if (piece.eof || bytes.length === 0 || offset >= limit) {
        const { total, size, eof, summary, mood, tests: verdict } = piece;
        return { bytes: Buffer.concat(pieces), total, size, eof, words: { summary, mood, verdict } };
      }
    }
  }
}

/** The text of bytes, whose last character may be cut off; null for what is no UTF-8. */
function textOf(bytes) {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The address of a path. @param {string} path */
function fileUri(path) {
  return require('url').pathToFileURL(path).href;
}

module.exports = { bodyKind, fileName, Source };
