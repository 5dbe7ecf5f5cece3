'use strict';
// Writes zip archives (PKWARE APPNOTE 6.3, no zip64): the same files give the same bytes, always.
const zlib = require('zlib');

const LOCAL_FILE = 0x04034b50;
const CENTRAL_DIRECTORY = 0x02014b50;
const END_OF_CENTRAL_DIRECTORY = 0x06054b50;
const VERSION_NEEDED = 20;
const MADE_BY_UNIX = (3 << 8) | VERSION_NEEDED;
const UTF8_NAMES = 1 << 11;
const DEFLATED = 8;
/** 1 January 1980, the first day a zip can name: a build on another day gives the same file. */
const DOS_DATE = (1 << 5) | 1;
const REGULAR_FILE = 0o100000;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/**
 * @param {{name: string, data: Buffer, mode?: number}[]} entries in the order they shall have;
 *   `mode` is the Unix permission, 0644 without
 * @returns {Buffer}
 */
function zip(entries) {
  const local = [];
  const central = [];
  let offset = 0;
  for (const { name, data, mode = 0o644 } of entries) {
    const nameBytes = Buffer.from(name, 'utf8');
    const compressed = zlib.deflateRawSync(data, { level: 9 });
    const common = commonFields(data, compressed, nameBytes);
    local.push(record(LOCAL_FILE, common), nameBytes, compressed);
    central.push(record(CENTRAL_DIRECTORY, [
      [2, MADE_BY_UNIX], ...common,
      [2, 0], [2, 0], [2, 0],
      [4, ((REGULAR_FILE | mode) << 16) >>> 0], [4, offset],
    ]), nameBytes);
    offset += 30 + nameBytes.length + compressed.length;
  }
  const directory = Buffer.concat(central);
  const end = record(END_OF_CENTRAL_DIRECTORY, [
    [2, 0], [2, 0], [2, entries.length], [2, entries.length],
    [4, directory.length], [4, offset], [2, 0],
  ]);
  return Buffer.concat([...local, directory, end]);
}

/** The fields that stand in the local header and in the central directory alike. */
function commonFields(data, compressed, nameBytes) {
  return [
    [2, VERSION_NEEDED], [2, UTF8_NAMES], [2, DEFLATED], [2, 0], [2, DOS_DATE],
    [4, crc32(data)], [4, compressed.length], [4, data.length], [2, nameBytes.length], [2, 0],
  ];
}

/** A signature and little-endian fields of two or four bytes. */
function record(signature, fields) {
  const all = [[4, signature], ...fields];
  const bytes = Buffer.alloc(all.reduce((sum, [size]) => sum + size, 0));
  let offset = 0;
  for (const [size, value] of all) offset = bytes.writeUIntLE(value, offset, size);
  return bytes;
}

module.exports = { zip };
