import { expect, test } from 'vitest';
import { diagnoseProject } from './diagnostics/diagnose.ts';
import { createProjectIndex } from './project-index/project-facts.ts';

/** Rare lines that work as intended. */
const WORKING = String.raw`; a comment first
setVar:hp=1;
setVar:a=1;
setVar:b=2;
setVar:name=小明 -global;
setVar:好感=3;
setVar:flag=true;
setVar:r=random(1,6);
setVar:r=random();
setVar:r=random(1,5,true);
setVar:a=a+1*(b-2)/3;
setVar:a=-1;
setVar:t=$stage.bgm.volume;
changeBg:bg.webp -next;
changeBg:bg.webp -transform={"alpha":0.8,"position":{"x":-100,"y":0}} -enter=enter -exit=exit -duration=500 -ease=easeIn;
changeBg:none;
changeBg:;
changeBg:http://example.com/a.png;
changeBg:sub/bg2.webp -unlockname=海 -series=1;
changeFigure:stand.webp -left -id=q -zIndex=3 -blendMode=screen;
changeFigure:stand.webp -right -enter=enter-from-left -next;
changeFigure:stand.webp -animationFlag=on -mouthOpen=stand.webp -mouthHalfOpen=stand.webp -mouthClose=stand.webp -eyesOpen=stand.webp -eyesClose=stand.webp;
changeFigure:m/model.json -id=live -motion=idle -expression=smile -bounds=0,0,0,0 -blink={"blinkInterval":1000} -focus={"x":0.5,"y":-0.5};
changeFigure:none -id=q;
changeFigure: -left;
miniAvatar:stand.webp;
miniAvatar:none;
bgm:t.mp3 -volume=30 -enter=3000;
bgm:none -enter=2000;
playEffect:v1.ogg -volume=50 -id=loop;
playEffect:none -id=loop;
playVideo:m.mp4 -skipOff;
pixiInit;
pixiPerform:rain;
pixiPerform:snow -next;
pixiInit;
intro:第一行|第二行|third -fontSize=large -fontColor=rgba(255,255,255,1) -backgroundColor=#000 -animation=typingEffect -delayTime=500 -hold;
intro:Hello {name} | again -backgroundImage=bg.webp -userForward;
filmMode:on;
filmMode:none;
setTextbox:hide;
setTextbox:on;
setTextbox:show;
setAnimation:enter -target=fig-right -next;
setAnimation:shake -target=live -keep;
setTempAnimation:[{"alpha":0,"duration":0},{"alpha":1,"duration":500,"ease":"easeOut"}] -target=fig-center -next;
setTransform:{"position":{"x":-100,"y":0},"rotation":-0.5,"scale":{"x":1.2,"y":1.2},"blur":5,"shockwaveFilter":1} -target=stage-main -duration=0;
setTransform:{} -target=bg-main -duration=1000 -writeDefault -keep;
setComplexAnimation:universalSoftIn -target=fig-center -duration=300;
setTransition: -target=fig-center -enter=enter-from-bottom -exit=exit;
setFilter:x;
applyStyle:TextBox_main->TextBox_dark,TextBox_Background->Foo;
callSteam: -achievementId=A_1;
getUserInput:name -title=你的名字 -buttonText=确认 -defaultValue=小明;
wait:1000;
wait:500.5;
wait:{a};
showVars;
unlockCg:bg.webp -name=海边 -series=1;
unlockBgm:t.mp3 -name=曲;
小明:你好 -v1.ogg;
小明:你好 -v1.ogg -volume=30 -left;
小明:你好 -vocal=v1.ogg;
小明:你好 -figureId=live;
小明:你好 -fontSize=small -center;
小明:第一|第二;
小明:[笑顔](えがお)だ;
小明:[红](style=color:#f00)字;
小明:[红](style-alltext=font-style:italic\;font-size:80% style=color:#66327C\; ruby=hi)字;
:[红](style=color:#f00)字;
小明:{name}的好感是{好感}，{Game_name};
:你好 -when=(a>1&&b==2)||flag==true;
:你好 -when=name=="小明";
:你好 -when=!flag;
:你好 -when=$stage.bgm.volume>30;
:{$stage.bgm.volume} 和 {$userData.globalGameVar.x};
:5-3=2，a->b，(笑)…… "引号";
:他说：“走吧。”;
他说：“走吧。”;
:http://example.com/a 看;
A & B:一起;
???:谁？;
？？？:谁？;
Mr. Smith:Hello;
Dr.K:Hi;
“我”:嗯;
{name}:我是主角;
小明(内心):……;
小明（内心）:……;
全员:哦！;
say:hello -speaker=甲;
say:继续;
继续说下去;
小明:等等 -notend;
-concat 不是 -concat;
后半 -concat;
小明:没有分号
小明:尾随空格;   
小明:注释; 这里是注释：说明
小明:价格\;100;
小明:嗯 -continue;
小明:嗯 -hold;
小明:清空 -clear;
	;indented comment
  ; indented comment
;------------
;=====注释: 说明=====
;;双分号
choose:甲:la|乙:lb;
label:la;
choose:(a>0)->甲:lb|[b>1]->乙:two.txt|(a>1)[b>2]->丙:la|丁:lb;
label:lb;
choose:A\:1:la|B\|C:lb -when=a>1;
jumpLabel:la -when=a<5;
label:multi word label;
jumpLabel:multi word label -when=a==9;
callScene:two.txt;
callScene:sub/three.txt -next;
changeScene:two.txt -when=a>3;
end;
`;

function diagnoseAll(engineVersion: string): string[] {
  const index = createProjectIndex({ engineVersion });
  index.setFiles([
    'game/config.txt',
    'game/scene/start.txt',
    'game/scene/two.txt',
    'game/scene/sub/three.txt',
    'game/background/bg.webp',
    'game/background/sub/bg2.webp',
    'game/figure/stand.webp',
    'game/figure/m/model.json',
    'lib/live2d.min.js',
    'lib/live2dcubismcore.min.js',
    'game/bgm/t.mp3',
    'game/vocal/v1.ogg',
    'game/video/m.mp4',
    'game/animation/animationTable.json',
  ]);
  index.setConfig('Game_name:x;\nGame_key:abc;\nDefault_Language:zh_CN;\nEnable_Appreciation:true;\n');
  index.setAnimationTable('["enter","exit","shake","enter-from-left","enter-from-bottom"]');
  index.setScene('game/scene/start.txt', WORKING);
  index.setScene('game/scene/two.txt', ':x;\nend;');
  index.setScene('game/scene/sub/three.txt', ':x;');
  const lines = WORKING.split('\n');
  return diagnoseProject(index, { locale: 'en' })
    .filter(({ severity }) => severity !== 'info')
    .map(({ line, code }) => `${code} ${lines[line - 1] ?? ''}`);
}

test('reports neither an error nor a warning for unusual lines that work', () => {
  expect(diagnoseAll('4.6.1')).toEqual([]);
  // The older engine requests this one file beside the page.
  expect(diagnoseAll('4.5.18')).toEqual(['vocal-argument-version 小明:你好 -vocal=v1.ogg;']);
});
