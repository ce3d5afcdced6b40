/** One line of a panel. */
export interface Line {
  name: string
  points: readonly {atS: number; value: number}[]
}

interface Panel {
  title: string
  type: 'stat' | 'timeseries'
  unit: string
  /** In a grid of 24 columns. */
  at: {x: number; y: number; w: number; h: number}
  lines: readonly Line[]
}

interface Span {
  fromS: number
  toS: number
}

const ROW_PX = 34
const COLUMN_PX = 59
const GAP_PX = 8
const COLOURS = [
  ...['#73bf69', '#f2cc0c', '#5794f2', '#ff780a', '#e02f44', '#b877d9', '#37872d', '#8ab8ff'],
  ...['#fade2a', '#c4162a', '#1f60c4', '#ffb357', '#8f3bb8', '#56a64b', '#a352cc', '#ff9830'],
]
const STYLE = `
  body {margin: 0; background: #111217; color: #ccccdc; font: 12px Inter, "DejaVu Sans", sans-serif}
  .panel {position: absolute; background: #181b1f; border: 1px solid #2b2f36; border-radius: 3px; overflow: hidden; box-sizing: border-box; padding: 6px 8px}
  .title {font-weight: 600; font-size: 13px; margin-bottom: 2px; white-space: nowrap}
  .legend {position: absolute; left: 8px; right: 8px; bottom: 4px; max-height: 30px; overflow: hidden; font-size: 10.5px; line-height: 15px}
  .legend span {margin-right: 10px; white-space: nowrap}
  .legend i {display: inline-block; width: 9px; height: 3px; margin-right: 4px; vertical-align: middle}
  .stats {display: flex; gap: 16px; height: 80%; align-items: center; justify-content: space-around}
  .stats b {display: block; font-size: 26px; color: #73bf69; font-weight: 500; white-space: nowrap}
  .stats div {text-align: center}
  text {fill: #8e8e9b; font-size: 10px}
`

/** A dashboard in the manner of Grafana, which is not needed to look at it. */
export function drawPage(panels: readonly Panel[], span: Span): string {
  const bottom = Math.max(...panels.map(({at}) => at.y + at.h))
  const drawn = panels.map((panel) => {
    const {x, y, w, h} = panel.at
    const size = {width: w * COLUMN_PX - GAP_PX, height: h * ROW_PX - GAP_PX}
    const place = `left:${x * COLUMN_PX + GAP_PX}px;top:${y * ROW_PX + GAP_PX}px;width:${size.width}px;height:${size.height}px`
    const inside = panel.type === 'stat' ? drawStats(panel) : drawLines(panel, size, span)
    return `<div class="panel" style="${place}"><div class="title">${escape(panel.title)}</div>${inside}</div>`
  })
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><body style="position:relative;height:${bottom * ROW_PX + GAP_PX}px">${drawn.join('')}</body>`
}

function drawStats({lines, unit}: Panel): string {
  const figures = lines.map(
    ({name, points}) =>
      `<div><b>${tell(points.at(-1)?.value ?? NaN, unit)}</b>${escape(name)}</div>`,
  )
  return `<div class="stats">${figures.join('')}</div>`
}

function drawLines(
  {lines, unit}: Panel,
  {width, height}: {width: number; height: number},
  {fromS, toS}: Span,
): string {
  const box = {left: 48, top: 6, right: width - 24, bottom: height - 74}
  const highest = Math.max(0, ...lines.flatMap(({points}) => points.map(({value}) => value)))
  const top = roundUp(highest)
  const toX = (atS: number): number =>
    box.left + ((atS - fromS) / (toS - fromS)) * (box.right - box.left)
  const toY = (value: number): number => box.bottom - (value / top) * (box.bottom - box.top)
  const grid = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = toY(part * top)
    return `<line x1="${box.left}" x2="${box.right}" y1="${y}" y2="${y}" stroke="#2b2f36"/><text x="${box.left - 5}" y="${y + 3}" text-anchor="end">${tell(part * top, unit)}</text>`
  })
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const atS = fromS + part * (toS - fromS)
    const minutes = ((atS - fromS) / 60).toFixed(1)
    return `<text x="${toX(atS)}" y="${box.bottom + 14}" text-anchor="middle">${minutes} min</text>`
  })
  const paths = lines.map(({points}, index) => {
    const path = points.map(
      ({atS, value}, at) =>
        `${at === 0 ? 'M' : 'L'}${toX(atS).toFixed(1)} ${toY(value).toFixed(1)}`,
    )
    return `<path d="${path.join('')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.4"/>`
  })
  const legend = lines.map(
    ({name}, index) => `<span><i style="background:${colourOf(index)}"></i>${escape(name)}</span>`,
  )
  return `<svg width="${width - 16}" height="${height - 54}">${[...grid, ...times, ...paths].join('')}</svg><div class="legend">${legend.join('')}</div>`
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? ''
}

function roundUp(value: number): number {
  if (!(value > 0)) return 1
  const size = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5, 10].find((step) => step * size >= value) ?? 10) * size
}

function tell(value: number, unit: string): string {
  if (Number.isNaN(value)) return 'no data'
  if (unit === 's') return value < 1 ? `${short(value * 1000)} ms` : `${short(value)} s`
  if (unit === 'percentunit') return `${short(value * 100)} %`
  if (unit === 'currencyUSD') return `$${value.toFixed(2)}`
  return unit === 'reqps' ? `${short(value)}/s` : short(value)
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
