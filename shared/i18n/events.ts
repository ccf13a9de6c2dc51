import { createCatalogue } from './catalogue.ts';
import { TEXTS } from './texts/events.ts';

/** The name of each event of the app, and what it reports: `project.file.changed.name`, `project.file.changed.about`. */
export const eventTexts = createCatalogue(TEXTS);
