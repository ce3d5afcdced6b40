/** How often something happened. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
