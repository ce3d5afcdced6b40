import type {SlackBlock} from '../../blocks/block.ts'
import {AlertBlock} from './alert-block.tsx'
import {CardBlock, CarouselBlock} from './card-block.tsx'
import {LibraryBlock} from './library-block.tsx'
import {RichText} from '../text/rich-text.tsx'
import {DataTableBlock, TableBlock} from './table-block.tsx'
import {Plan, TaskCard} from './task-card.tsx'
import {VideoBlock} from './video-block.tsx'

/** The blocks that few messages hold. */
export function RarerBlock({block}: {block: SlackBlock}) {
  switch (block.type) {
    case 'rich_text':
      return <RichText block={block} />
    case 'task_card':
      return <TaskCard block={block} />
    case 'plan':
      return <Plan block={block} />
    case 'alert':
      return <AlertBlock block={block} />
    case 'card':
      return <CardBlock card={block} owner={block} />
    case 'carousel':
      return <CarouselBlock block={block} />
    case 'table':
      return <TableBlock block={block} />
    case 'data_table':
      return <DataTableBlock block={block} />
    case 'video':
      return <VideoBlock block={block} />
    default:
      return <LibraryBlock block={block} />
  }
}
