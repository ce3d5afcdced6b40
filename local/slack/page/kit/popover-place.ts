const gapPx = 4
const edgePx = 8
const maxHeightPx = 320
const minWidthPx = 240

/** Puts an open popover below what it belongs to, or above where there is more room. */
export function placeBeside(popover: HTMLElement, anchor: HTMLElement): void {
  const {top, bottom, left, width} = anchor.getBoundingClientRect()
  const below = innerHeight - bottom - gapPx - edgePx
  const above = top - gapPx - edgePx
  const isAbove = below < Math.min(popover.scrollHeight, maxHeightPx) && above > below
  const wide = Math.min(Math.max(width, minWidthPx), innerWidth - 2 * edgePx)
  const {style} = popover
  style.width = `${wide}px`
  style.maxHeight = `${Math.min(maxHeightPx, isAbove ? above : below)}px`
  style.left = `${Math.max(edgePx, Math.min(left, innerWidth - wide - edgePx))}px`
  style.top = isAbove ? 'auto' : `${bottom + gapPx}px`
  style.bottom = isAbove ? `${innerHeight - top + gapPx}px` : 'auto'
}
