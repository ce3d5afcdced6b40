import {ACTIONS} from '../../slack/ids.ts'
import type {Feature, NeedsOf} from '../../slack/gate/feature.ts'
import {createRoomActs} from './acts.ts'
import {createRoomCommandActs} from './command-acts.ts'
import {roomTexts} from './texts.ts'

type Needs = NeedsOf<typeof createRoomActs | typeof createRoomCommandActs>

/** Work that goes on in a channel of its own, where Slack has such channels; elsewhere nothing offers them. */
export const rooms: Feature<Needs> = {
  permits: {
    '/bosun room': 'use',
    'press bosun:room-open': 'use',
    '/stop ': 'use',
    '/details ': 'use',
    '/tasks ': 'use',
    '/steps ': 'use',
    '/new-title ': 'use',
    '/archive-work ': 'use',
    '/model ': 'use',
    '/ ': 'look',
  },
  repeatable: [ACTIONS.roomOpen],
  help: {},
  commands: roomTexts.commands,
  createActs: (needs) => [...createRoomActs(needs), ...createRoomCommandActs(needs)],
}
