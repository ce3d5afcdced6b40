/** One credit is a thousandth of a dollar. What is no number reads as what it means. */
export function dollars(credits: number): string {
  if (Number.isNaN(credits)) return 'cost unknown'
  if (!Number.isFinite(credits)) return 'cost unlimited'
  return `$${(credits / 1000).toFixed(2)}`
}
