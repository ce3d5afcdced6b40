import {ACTIONS, KEY_FORMS} from '../../slack/ids.ts'
import {createAskAdminActs} from './ask-admin.ts'
import {createChannelActs} from './channel.ts'
import {checkConnect, createConnectActs} from './connect.ts'
import {createDisconnectActs} from './disconnect.ts'
import {pause} from '../../slack/gate/staying.ts'
import {checkReplacement, createReplaceKeyActs} from './replace-key.ts'
import {checkSettings} from './settings.ts'
import {connectTexts} from './texts.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createAskAdminActs
  | typeof createChannelActs
  | typeof createConnectActs
  | typeof createDisconnectActs
  | typeof createReplaceKeyActs
>

/** Keys, and what channels have chosen. */
export const connect: Feature<Needs> = {
  permits: {
    'form bosun:connect': 'administer',
    'form bosun:connect-settings': 'administer',
    'form bosun:replace-key': 'administer',
    '/bosun channel': 'use',
    '/bosun connect': 'administer',
    '/bosun disconnect': 'administer',
    'press bosun:use-project': 'administer',
    'press bosun:ask-admin': 'use',
    'press bosun:connect': 'administer',
    'press bosun:disconnect': 'administer',
    'press bosun:replace-key': 'administer',
  },
  forms: {
    [KEY_FORMS.connect]: {check: checkConnect, pause: pause(connectTexts.form.checking)},
    [KEY_FORMS.settings]: {check: checkSettings, pause: pause(connectTexts.form.saving)},
    [KEY_FORMS.replace]: {check: checkReplacement, pause: pause(connectTexts.form.checking)},
  },
  askedOnce: [ACTIONS.askAdmin, ACTIONS.disconnect],
  repeatable: [ACTIONS.connect, ACTIONS.askAdmin, ACTIONS.replaceKey, ACTIONS.useProject],
  help: connectTexts.help,
  helpForAdmins: connectTexts.helpForAdmins,
  commands: connectTexts.commands,
  createActs: (needs) => [
    ...createConnectActs(needs),
    ...createDisconnectActs(needs),
    ...createChannelActs(needs),
    ...createReplaceKeyActs(needs),
    ...createAskAdminActs(needs),
  ],
}
