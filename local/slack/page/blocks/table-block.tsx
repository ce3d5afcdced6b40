import {useState} from 'react'
import type {SlackBlock} from '../../blocks/block.ts'
import {stringIn} from '../live/block-shape.ts'
import {BackIcon, ForwardIcon} from '../kit/icons.tsx'
import {RichOrPlain} from '../text/rich-text.tsx'
import {alignmentsIn, clampPage, pageSizeIn, rowsIn} from './table-shape.ts'

/** https://docs.slack.dev/reference/block-kit/blocks/table-block: the first row is the head. */
export function TableBlock({block}: {block: SlackBlock}) {
  return <Table label="Table" rows={rowsIn(block.rows)} block={block} headerColumn={undefined} />
}

/** A table in pages. https://docs.slack.dev/reference/block-kit/blocks/data-table-block */
export function DataTableBlock({block}: {block: SlackBlock}) {
  const [head, ...body] = rowsIn(block.rows)
  const size = pageSizeIn(block.page_size)
  const pages = Math.max(1, Math.ceil(body.length / size))
  const [wanted, setPage] = useState(0)
  const page = clampPage(wanted, pages)
  const caption = stringIn(block.caption) ?? 'Table'
  const shown = body.slice(page * size, (page + 1) * size)
  const step = (label: string, to: number, Icon: typeof BackIcon) => (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      disabled={clampPage(to, pages) !== to}
      onClick={() => setPage(to)}
    >
      <Icon />
    </button>
  )
  return (
    <div className="data-table">
      <div className="data-table-caption">{caption}</div>
      <Table
        label={caption}
        rows={head ? [head, ...shown] : shown}
        block={block}
        headerColumn={Number(block.row_header_column_index ?? 0)}
      />
      {pages > 1 && (
        <div className="pages" role="group" aria-label={`Pages of ${caption}`}>
          {step('Previous page', page - 1, BackIcon)}
          <span className="muted" role="status">
            {page * size + 1}–{Math.min(body.length, (page + 1) * size)} of {body.length}
          </span>
          {step('Next page', page + 1, ForwardIcon)}
        </div>
      )}
    </div>
  )
}

function Table({
  label,
  rows,
  block,
  headerColumn,
}: {
  label: string
  rows: unknown[][]
  block: SlackBlock
  headerColumn: number | undefined
}) {
  const [head, ...body] = rows
  const columns = alignmentsIn(block.column_settings)
  const cell = (value: unknown, index: number, isHead: boolean) => {
    const shared = {
      style: {textAlign: columns[index]?.align ?? 'left'},
      className: columns[index]?.isWrapped === false ? 'is-one-line' : undefined,
      children: <RichOrPlain value={value} />,
    }
    if (isHead) return <th key={index} scope="col" {...shared} />
    return index === headerColumn ? (
      <th key={index} scope="row" {...shared} />
    ) : (
      <td key={index} {...shared} />
    )
  }
  return (
    <div className="table-frame" role="group" aria-label={label} tabIndex={0}>
      <table>
        {head && (
          <thead>
            <tr>{head.map((value, index) => cell(value, index, true))}</tr>
          </thead>
        )}
        <tbody>
          {body.map((row, index) => (
            <tr key={index}>{row.map((value, at) => cell(value, at, false))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
