/** Only while screens are being written: no shipped page shows these. */
export const placeholdersText = {
  title: (screen: string) => `${screen}: this screen is not written yet`,
  words: 'Another hand is writing it. Its route, data and place in the navigation are there.',
};
