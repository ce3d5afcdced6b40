import {createModals} from './modals.ts'
import {JANE, type World} from './world.ts'

/** A channel becomes shared with another company, and the bot has looked whether it is there. */
export async function share(world: World, channel: string): Promise<void> {
  const {people, ledger} = world.slack
  const looks = () =>
    ledger.calls.filter(
      ({method, args}) => method === 'conversations.info' && args['channel'] === channel,
    ).length
  const before = looks()
  await people.shareChannel(channel, 'T0OTHER')
  await world.until('it looks whether it is there', () => looks() > before)
}

/** An admin saves the settings of a channel as they are; what they are told. */
export async function letGoOn(world: World, channel: string): Promise<string> {
  const filled = {key: {connection: 'environment'}, settings: {project: 'project_web'}}
  return createModals(world).connect(channel, filled, JANE)
}
