'use strict';
// The byte layer: any split, any number of messages, and a clear end of a stream without sense.
const { test } = require('node:test');
const assert = require('node:assert/strict');
const { encode, MessageReader, FramingError, MAXIMUM_HEADER_BYTES } = require('../src/server/framing');

const messages = [{ id: 1, text: 'grüße 😀' }, {}, { method: 'x', params: [1, 2] }];
const stream = Buffer.concat(messages.map(encode));

test('a frame counts bytes, not characters', () => {
  const body = '{"text":"ü😀"}';
  assert.equal(encode({ text: 'ü😀' }).toString(),
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
});

test('messages survive a split at every byte', () => {
  for (let split = 0; split <= stream.length; split += 1) {
    const reader = new MessageReader();
    const parts = [stream.subarray(0, split), stream.subarray(split)];
    const read = parts.flatMap(part => reader.push(part));
    assert.deepEqual(read, messages, `split at ${split}`);
  }
});

test('messages arrive byte by byte and all at once', () => {
  const slow = new MessageReader();
  assert.deepEqual([...stream].flatMap(byte => slow.push(Buffer.from([byte]))), messages);
  assert.deepEqual(new MessageReader().push(stream), messages);
});

test('header names have no case, and other fields are skipped', () => {
  const text = 'content-type: x\r\nCONTENT-LENGTH:2 \r\n\r\n{}';
  assert.deepEqual(new MessageReader().push(Buffer.from(text)), [{}]);
});

for (const [name, text] of [
  ['no length', 'Content-Type: x\r\n\r\n'],
  ['a length that is no number', 'Content-Length: -1\r\n\r\n'],
  ['a length beyond the limit', 'Content-Length: 9999999999\r\n\r\n'],
  ['a body that is not JSON', 'Content-Length: 1\r\n\r\n{'],
  ['a body that is no object', 'Content-Length: 2\r\n\r\n[]'],
  ['a header without end', 'x'.repeat(MAXIMUM_HEADER_BYTES + 1)],
]) {
  test(`${name} ends the stream`, () => {
    assert.throws(() => new MessageReader().push(Buffer.from(text)), FramingError);
  });
}
