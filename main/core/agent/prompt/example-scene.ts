/** A complete scene of 25 lines, which shows every statement that a usual request needs. */
export const EXAMPLE_SCENE = `; Stage first: picture, music, who is there. Every file exists in the game.
changeBg:street_rain.webp -next;
bgm:rain.mp3;
changeFigure:yuki_sad.webp -left -next;
; A variable has a value before a condition reads it.
setVar:trust=0;
:The street is empty. Only the rain is loud.;
Yuki:You came after all.;
changeFigure:kai.webp -right -next;
Kai:I said I would.|I was only late.;
choose:Share the umbrella:share|Stay silent:silent;
; Each branch ends with a jump, or the story runs on into the next one.
label:share;
setVar:trust=trust+1;
changeFigure:yuki_smile.webp -left -next;
Yuki:Thank you. Come closer, you are soaked.;
jumpLabel:after;
label:silent;
Yuki:Then I will walk alone.;
changeFigure:none -left -next;
jumpLabel:after;
label:after;
Kai:See you tomorrow, then. -when=trust>0;
:The rain does not stop.;
changeScene:next_day.txt;`;
