/** Folders and files whose tests mostly wait, for a fault to pass or a server to time out. */
const WAITING = ['/test/faults/', '/test/api/several', '/test/api/queue']

export function mostlyWaits(file: string): boolean {
  return WAITING.some((part) => file.includes(part))
}
