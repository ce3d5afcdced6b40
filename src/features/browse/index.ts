import {ACTIONS, FOLDER_FORM} from '../../slack/ids.ts'
import {createAuditActs} from './audit.ts'
import {createDoctorActs} from './doctor.ts'
import {createFindActs} from './find/find.ts'
import {checkFolderForm, createFolderActs} from './folders.ts'
import {createOrganizationActs} from './organization.ts'
import {browseTexts} from './texts.ts'
import {createUsageActs} from './usage.ts'
import {createUseActs} from './use.ts'
import {type Feature, type NeedsOf} from '../../slack/gate/feature.ts'

type Needs = NeedsOf<
  | typeof createAuditActs
  | typeof createDoctorActs
  | typeof createFindActs
  | typeof createFolderActs
  | typeof createUsageActs
  | typeof createUseActs
> &
  Omit<NeedsOf<typeof createOrganizationActs>, 'folderPage'>

/** What lies around people's work, and how all of it is. */
export const browse: Feature<Needs> = {
  permits: {
    'form bosun:file-form': 'use',
    '/bosun find': 'use',
    '/bosun projects': 'use',
    '/bosun use': 'use',
    '/bosun users': 'use',
    '/bosun folders': 'use',
    '/bosun usage': 'administer',
    '/bosun doctor': 'administer',
    '/bosun audit': 'administer',
    'press bosun:find-more': 'use',
    'press bosun:turn-page': 'use',
    'press bosun:file': 'use',
    'press bosun:use-mine': 'use',
    'press bosun:use-none': 'use',
    'press bosun:usage-more': 'administer',
    'press bosun:audit-more': 'administer',
    'press bosun:audit-export': 'administer',
  },
  forms: {[FOLDER_FORM]: {check: checkFolderForm}},
  repeatable: [
    ACTIONS.auditMore,
    ACTIONS.auditExport,
    ACTIONS.findMore,
    ACTIONS.usageMore,
    ACTIONS.turnPage,
    ACTIONS.file,
    ACTIONS.useMine,
    ACTIONS.useNone,
  ],
  help: browseTexts.help,
  helpForAdmins: browseTexts.helpForAdmins,
  commands: browseTexts.commands,
  createActs: (needs) => {
    const folders = createFolderActs(needs)
    return [
      ...createFindActs(needs),
      ...createUsageActs(needs),
      ...createOrganizationActs({...needs, folderPage: folders.page}),
      ...createUseActs(needs),
      ...folders.acts,
      ...createAuditActs(needs),
      ...createDoctorActs(needs),
    ]
  },
}
