// The container that .zkey, .wtns, .r1cs and .ptau share, read and deliberately damaged.
//
// magic[4] | version u32 | sections u32, then for each section: type u32 | length u64 | payload, all little-endian.

const FRAME_BYTES = 12;
const SECTION_HEADER_BYTES = 12;

export class BinFile {
  constructor(bytes) {
    this.bytes = Buffer.from(bytes);
    this.sections = [];
    for (let offset = FRAME_BYTES; offset < bytes.length; ) {
      const length = Number(bytes.readBigUInt64LE(offset + 4));
      const start = offset + SECTION_HEADER_BYTES;
      this.sections.push({ type: bytes.readUInt32LE(offset), offset, start, length, end: start + length });
      offset = start + length;
    }
  }

  section(type) {
    return this.sections.find((section) => section.type === type);
  }

  payload(type) {
    const { start, end } = this.section(type);
    return this.bytes.subarray(start, end);
  }

  /** Bytes put over those at an offset of the file. */
  overwritten(offset, bytes) {
    const copy = Buffer.from(this.bytes);
    Buffer.from(bytes).copy(copy, offset);
    return copy;
  }

  /** Bytes put over those at an offset of a section's payload; from its end if negative. */
  patched(type, offset, bytes) {
    const { start, end } = this.section(type);
    return this.overwritten(offset < 0 ? end + offset : start + offset, bytes);
  }

  truncated(length) {
    return this.bytes.subarray(0, length);
  }

  /** A lie in a section's header: the payload stays as it is. */
  withLength(type, length) {
    return this.overwritten(this.section(type).offset + 4, u64(length));
  }

  /** A section cut or padded with zeros to `length`, its header honest. */
  resized(type, change) {
    const payload = this.payload(type);
    const resized = Buffer.alloc(payload.length + change);
    payload.copy(resized);
    return this.rebuilt(this.sections.map((section) => ({ ...section, payload: section.type === type ? resized : undefined })));
  }

  without(type) {
    return this.rebuilt(this.sections.filter((section) => section.type !== type));
  }

  duplicated(type) {
    return this.rebuilt([...this.sections, this.section(type)]);
  }

  withExtra(type, payload) {
    return this.rebuilt([...this.sections, { type, payload }]);
  }

  reversed() {
    return this.rebuilt([...this.sections].reverse());
  }

  rebuilt(sections) {
    const parts = [this.bytes.subarray(0, 8), u32(sections.length)];
    for (const { type, start, end, payload = this.bytes.subarray(start, end) } of sections) {
      parts.push(u32(type), u64(payload.length), payload);
    }
    return Buffer.concat(parts);
  }

  /** Every length at which a file can end that is not whole: at, in and just before the end of each section's header and payload. */
  cuts() {
    const lengths = new Set([1, 4, 8, FRAME_BYTES - 1]);
    for (const { offset, start, length, end } of this.sections) {
      for (const cut of [offset, offset + 4, start, start + Math.floor(length / 2), end - 1]) lengths.add(cut);
    }
    return [...lengths].filter((length) => length < this.bytes.length);
  }
}

export function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** A field element as the files hold it: 32 bytes, little-endian. */
export function u256(value) {
  const bytes = Buffer.alloc(32);
  for (let i = 0; i < 4; i++) bytes.writeBigUInt64LE((value >> BigInt(64 * i)) & 0xffff_ffff_ffff_ffffn, 8 * i);
  return bytes;
}
