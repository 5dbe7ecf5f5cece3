'use strict';
// Turns bytes into messages and messages into bytes (LSP, "Base Protocol"): it knows nothing else.

const MAXIMUM_HEADER_BYTES = 8 * 1024;
const MAXIMUM_BODY_BYTES = 64 * 1024 * 1024;

/** The stream can't be read any further; the connection has to end. */
class FramingError extends Error {}

/** Frames one message. @param {object} message @returns {Buffer} */
function encode(message) {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'ascii'), body]);
}

/** Collects bytes until whole messages are there; `push` hands them out in order. */
class MessageReader {
  #chunks = [];
  #buffered = 0;
  #bodyLength = null;

  /** @param {Buffer} chunk @returns {object[]} the messages this chunk completes */
  push(chunk) {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    const messages = [];
    for (;;) {
      if (this.#bodyLength === null && !this.#readHeader()) return messages;
      if (this.#buffered < this.#bodyLength) return messages;
      const body = this.#take(this.#bodyLength);
      this.#bodyLength = null;
      messages.push(parse(body));
    }
  }

  #readHeader() {
    if (this.#buffered === 0) return false;
    const bytes = this.#joined();
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0 ? bytes.length > MAXIMUM_HEADER_BYTES : end > MAXIMUM_HEADER_BYTES) {
      throw new FramingError(`a message header exceeds ${MAXIMUM_HEADER_BYTES} bytes`);
    }
    if (end < 0) return false;
    this.#bodyLength = contentLength(bytes.toString('latin1', 0, end));
    this.#take(end + 4);
    return true;
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks, this.#buffered)];
    return this.#chunks[0];
  }

  #take(count) {
    const bytes = this.#buffered > 0 ? this.#joined() : Buffer.alloc(0);
    this.#buffered -= count;
    this.#chunks = this.#buffered > 0 ? [bytes.subarray(count)] : [];
    return bytes.subarray(0, count);
  }
}

function contentLength(header) {
  for (const line of header.split('\r\n')) {
    const field = /^content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*$/i.exec(line);
    if (!field) continue;
    const length = Number(field[1]);
    if (length > MAXIMUM_BODY_BYTES) {
      throw new FramingError(`a message of ${length} bytes exceeds ${MAXIMUM_BODY_BYTES} bytes`);
    }
    return length;
  }
  throw new FramingError(`no Content-Length in ${JSON.stringify(header.slice(0, 200))}`);
}

function parse(body) {
  let message;
  try {
    message = JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new FramingError(`a message is not JSON: ${error.message}`);
  }
  if (message === null || typeof message !== 'object' || Array.isArray(message)) {
    throw new FramingError('a message is not a JSON object');
  }
  return message;
}

module.exports = { encode, MessageReader, FramingError, MAXIMUM_HEADER_BYTES };
