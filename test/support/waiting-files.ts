/** Folders and files whose tests mostly wait: for a fault to last, or a server to give up. */
const WAITING = ['/test/faults/', '/test/api/several', '/test/api/queue']

export function mostlyWaits(file: string): boolean {
  return WAITING.some((part) => file.includes(part))
}
