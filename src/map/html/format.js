// Numbers and addresses as people read them.
//
// An address is a number as long as numbers hold it exactly, else a BigInt: only programs
// at the upper end of 64 bits pay for those. Differences of addresses are numbers.
'use strict';

const GROUPED = new Intl.NumberFormat('en-US');

/** 8192 -> "8,192" */
function grouped(number) {
  return GROUPED.format(number);
}

/** 8192 -> "8 KiB", 100 -> "100 B" */
function short(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0,
    value = Math.abs(bytes);
  while (value >= 1024 && unit + 1 < units.length) {
    value /= 1024;
    ++unit;
  }
  const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return (bytes < 0 ? '\u2212' : '') + value.toFixed(digits) + '\u00a0' + units[unit];
}

/** 8192 -> "8,192 bytes (8 KiB)". Beyond 2^53 no number of bytes is exact: the unit alone. */
function full(bytes) {
  if (Math.abs(bytes) < 1024) return grouped(bytes) + (bytes === 1 ? ' byte' : ' bytes');
  return Number.isSafeInteger(bytes) ? `${grouped(bytes)} bytes (${short(bytes)})` : short(bytes);
}

/** 8 -> "+8", 0 -> "0": of what has changed. */
function signed(bytes) {
  return (bytes > 0 ? '+' : bytes < 0 ? '\u2212' : '') + grouped(Math.abs(bytes));
}

function percent(part, whole) {
  if (!whole) return '\u2013';
  const share = (100 * part) / whole;
  return (share > 0 && share < 0.1 ? '<0.1' : share.toFixed(1)) + '%';
}

/** How many of something: count(1, 'symbol'), count(2, 'entry', 'entries'). */
function count(number, one, many = one + 's') {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** "0x10a0" -> 4256, or a BigInt. */
function addressOf(text) {
  if (typeof text === 'number') return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** `address` + `bytes`, a number of them. */
function plus(address, bytes) {
  if (typeof address === 'number') {
    const sum = address + bytes;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return BigInt(address) + BigInt(Math.round(bytes));
}

/** `address` - `other` in bytes. */
function distance(address, other) {
  return typeof address === 'number' && typeof other === 'number'
    ? address - other
    : Number(BigInt(address) - BigInt(other));
}

/** Before, at or behind: for sorting. */
function inOrder(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** "lib/libc.a" -> "libc.a" */
function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

function hex(address, bits = 0) {
  return '0x' + address.toString(16).padStart(bits / 4, '0');
}
