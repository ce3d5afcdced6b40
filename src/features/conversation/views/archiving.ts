import type {ModalView} from '@slack/types'
import type {Link} from '../../../store/link.ts'
import {ACTIONS, VIEWS} from '../../../slack/ids.ts'
import {inBold, oneLine} from '../../../slack/markup/lines.ts'
import {escapeMrkdwn} from '../../../slack/markup/markup.ts'
import {texts} from '../../../slack/texts.ts'
import {button, plain, section, toMetadata} from '../../../slack/draw/blocks.ts'

const MAX_TITLE = 140
const MAX_SAID = 400

/** What came of that question. */
export function drawArchivingDone(link: Link, said: string): ModalView {
  return {
    type: 'modal',
    callback_id: VIEWS.archive,
    private_metadata: toMetadata(link),
    title: plain(texts.talk.archiving.done),
    close: plain(texts.talk.manage.close),
    blocks: [
      section(`*${inBold(link.title ?? texts.card.untitled, MAX_TITLE)}*`),
      section(escapeMrkdwn(oneLine(said, MAX_SAID))),
    ],
  }
}

/** Asks what shall become of work that goes on. [Back] closes it. */
export function drawArchiving(link: Link, waiting: number): ModalView {
  const {title, question, stopAndArchive, archiveOnly, back} = texts.talk.archiving
  return {
    type: 'modal',
    callback_id: VIEWS.archive,
    private_metadata: toMetadata(link),
    title: plain(title),
    close: plain(back),
    blocks: [
      section(question),
      ...(waiting === 0 ? [] : [section(texts.talk.archiving.waiting(waiting))]),
      {
        type: 'actions',
        elements: [
          button(ACTIONS.stopAndArchive, stopAndArchive, link.id, {style: 'danger'}),
          button(ACTIONS.archiveOnly, archiveOnly, link.id),
        ],
      },
    ],
  }
}
