type WholeArray = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>

/**
 * The memory of an array for `length` elements, zeros at the end. It frees the array's memory at once, where a copy would leave it to the
 * garbage collector; the array must own all of its buffer and must not be used again.
 */
export function resized(array: WholeArray, length: number): ArrayBuffer {
  return array.buffer.transfer(length * array.BYTES_PER_ELEMENT)
}
