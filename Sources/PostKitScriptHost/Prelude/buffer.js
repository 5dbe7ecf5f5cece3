// `Buffer`: a `Uint8Array` with Node's ways to read and write texts.
(core) => {
  'use strict';
  const P = core.part('primordials');
  const V = core.part('values');

  const wide = (text) => {
    const result = new P.Uint8Array(text.length * 2);
    for (let i = 0; i < text.length; i += 1) {
      const code = P.charCode(text, i);
      result[2 * i] = code & 255;
      result[2 * i + 1] = code >> 8;
    }
    return result;
  };
  const narrow = (text) => {
    const result = new P.Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) result[i] = P.charCode(text, i) & 255;
    return result;
  };
  // As Node: what is no base64 or hexadecimal ends the text or is left out.
  const lenientBase64 = (text) => {
    const plain = P.replace(P.split(text, '=')[0], /[^A-Za-z0-9+/_-]/g, '');
    const whole = plain.length % 4 === 1 ? P.sub(plain, 0, -1) : plain;
    return V.fromBase64(whole, () => {});
  };
  const lenientHex = (text) => {
    const plain = P.exec(/^(?:[0-9a-fA-F]{2})*/, text)[0];
    return V.fromHex(plain, () => {});
  };
  const encodings = {
    utf8: [(text) => V.utf8(text), (bytes) => V.decoded(bytes, 'utf-8')],
    hex: [lenientHex, V.toHex],
    base64: [lenientBase64, (bytes) => V.toBase64(bytes, false)],
    base64url: [lenientBase64, (bytes) => V.toBase64(bytes, true)],
    latin1: [narrow, V.latin1],
    ascii: [narrow, (bytes) => V.latin1(P.map(P.fromArrayLike(bytes), (byte) => byte & 127))],
    utf16le: [wide, (bytes) => {
      let result = '';
      for (let i = 0; i + 1 < bytes.length; i += 2) {
        result += P.fromCharCode(bytes[i] | (bytes[i + 1] << 8));
      }
      return result;
    }],
  };
  const aliases = { 'utf-8': 'utf8', binary: 'latin1', ucs2: 'utf16le', 'ucs-2': 'utf16le',
    'utf-16le': 'utf16le' };
  const coding = (name = 'utf8') => {
    const lower = P.lower(P.String(name));
    const known = P.has(aliases, lower) ? aliases[lower] : lower;
    if (!P.has(encodings, known)) throw new P.TypeError(`Unknown encoding: ${P.String(name)}`);
    return encodings[known];
  };
  const encode = (text, encoding) => coding(encoding)[0](text);

  class Buffer extends P.Uint8Array {
    static from(value, encoding, length) {
      if (typeof value === 'string' || V.isText(value)) {
        return Buffer.of_(encode(P.String(value), encoding));
      }
      if (value instanceof P.ArrayBuffer) return new Buffer(value, encoding, length);
      if (P.isView(value) || P.isArray(value)) return Buffer.of_(value);
      if (typeof value === 'object' && value !== null) {
        if (value.type === 'Buffer' && P.isArray(value.data)) return Buffer.of_(value.data);
        if (typeof value.length === 'number') return Buffer.of_(P.fromArrayLike(value));
        const primitive = value.valueOf();
        if (typeof primitive === 'string') return Buffer.from(primitive, encoding);
      }
      throw V.wrong('Buffer.from', 'the value must be a string, bytes or an array', value);
    }
    static of_(bytes) {
      const result = new Buffer(bytes.length);
      for (let i = 0; i < bytes.length; i += 1) result[i] = bytes[i];
      return result;
    }
    static alloc(size, fill, encoding) {
      const count = V.count('Buffer.alloc', 'size', size);
      if (count < 0 || count > 67108864) {
        throw new P.RangeError('Buffer.alloc: the size must be from 0 to 67,108,864');
      }
      const result = new Buffer(count);
      return fill === undefined ? result : result.fill(fill, 0, count, encoding);
    }
    static allocUnsafe(size) { return Buffer.alloc(size); }
    static concat(list, total) {
      if (!P.isArray(list)) throw V.wrong('Buffer.concat', 'the list must be an array', list);
      const length = total ?? P.Math.max(0, list.reduce((sum, item) => sum + item.length, 0));
      const result = Buffer.alloc(length);
      let place = 0;
      for (const item of list) {
        for (let i = 0; i < item.length && place < length; i += 1) result[place++] = item[i];
      }
      return result;
    }
    static byteLength(value, encoding) {
      if (typeof value === 'string') return encode(value, encoding).length;
      if (typeof value?.byteLength === 'number') return value.byteLength;
      throw V.wrong('Buffer.byteLength', 'the text must be a string or bytes', value);
    }
    static isBuffer(value) { return value instanceof Buffer; }
    static isEncoding(name) {
      const lower = P.lower(P.String(name));
      return P.has(encodings, lower) || P.has(aliases, lower);
    }
    static compare(a, b) {
      for (const bytes of [a, b]) {
        if (!P.isView(bytes)) throw V.wrong('Buffer.compare', 'both must be bytes', bytes);
      }
      for (let i = 0; i < P.Math.min(a.length, b.length); i += 1) {
        if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
      }
      return P.Math.sign(a.length - b.length);
    }
    toString(encoding, start = 0, end = this.length) {
      return coding(encoding)[1](this.subarray(start, end));
    }
    toJSON() { return { type: 'Buffer', data: P.fromArrayLike(this) }; }
    equals(other) { return Buffer.compare(this, other) === 0; }
    compare(other) { return Buffer.compare(this, other); }
    slice(start, end) { return this.subarray(start, end); }
    write(text, offset = 0, length = this.length - offset, encoding = 'utf8') {
      const bytes = encode(text, encoding);
      const count = P.Math.min(bytes.length, length, this.length - offset);
      for (let i = 0; i < count; i += 1) this[offset + i] = bytes[i];
      return count;
    }
    fill(value, start = 0, end = this.length, encoding = 'utf8') {
      if (typeof value === 'number') return super.fill(value & 255, start, end);
      const bytes = typeof value === 'string' ? encode(value, encoding) : value;
      for (let i = start; i < end && bytes.length > 0; i += 1) {
        this[i] = bytes[(i - start) % bytes.length];
      }
      return this;
    }
    copy(target, targetStart = 0, start = 0, end = this.length) {
      const count = P.Math.min(end - start, target.length - targetStart);
      for (let i = 0; i < count; i += 1) target[targetStart + i] = this[start + i];
      return count;
    }
    indexOf(value, from = 0, encoding = 'utf8') {
      if (typeof value === 'number') return super.indexOf(value & 255, from);
      const bytes = typeof value === 'string' ? encode(value, encoding) : value;
      for (let i = from; i + bytes.length <= this.length; i += 1) {
        let place = 0;
        while (place < bytes.length && this[i + place] === bytes[place]) place += 1;
        if (place === bytes.length) return i;
      }
      return -1;
    }
    includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }
  }
  // Numbers in the buffer, little and big endian.
  const view = (buffer) => new P.DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const numbers = [['UInt8', 'Uint8'], ['Int8', 'Int8'], ['UInt16', 'Uint16'], ['Int16', 'Int16'],
    ['UInt32', 'Uint32'], ['Int32', 'Int32'], ['Float', 'Float32'], ['Double', 'Float64'],
    ['BigInt64', 'BigInt64'], ['BigUInt64', 'BigUint64']];
  for (const [name, type] of numbers) {
    const size = P.Number(P.exec(/\d+/, type)[0]) / 8;
    for (const end of size === 1 ? [''] : ['LE', 'BE']) {
      const isLittle = end === 'LE';
      V.hidden(Buffer.prototype, `read${name}${end}`, function (offset = 0) {
        return view(this)[`get${type}`](offset, isLittle);
      });
      V.hidden(Buffer.prototype, `write${name}${end}`, function (value, offset = 0) {
        view(this)[`set${type}`](offset, value, isLittle);
        return offset + size;
      });
    }
  }
  return P.freeze({ Buffer, encode });
}
